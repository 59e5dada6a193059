import { z } from 'zod';
import { Classification, GoalKind } from '../../../../shared/model/classification';
import { classifyByWords } from './heuristics';
import { SURE } from './sure';

/** One labelled request: what a person would say it is. `after` is the kind of the message before it. */
export const LabelledRequest = Classification.omit({ confidence: true }).extend({
  set: z.enum(['dev', 'held']),
  text: z.string(),
  after: GoalKind.nullable(),
});
export type LabelledRequest = z.infer<typeof LabelledRequest>;

export const FIELDS = [
  'goalKind',
  'isActionable',
  'editScope',
  'complexity',
  'needsShell',
  'chatOnly',
  'isFollowUp',
  'expectsMultiStep',
  'needsFlagship',
] as const;
export type Field = (typeof FIELDS)[number];

export interface FieldReport {
  field: Field;
  right: number;
  total: number;
  /** The same for requests that the words decide (confidence from {@link SURE} on): no model would be asked about them. */
  sureRight: number;
  sureTotal: number;
  /** Labelled value → classified value → how often. */
  confusion: Map<string, Map<string, number>>;
  misses: { text: string; wanted: string; got: string; confidence: number }[];
}

/** @param lines one JSON object a line */
export const parseRequests = (lines: string): LabelledRequest[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => LabelledRequest.parse(JSON.parse(line)));

/** Classifies every labelled request by its words and counts, field by field, what came out for what. */
export function reportOn(requests: readonly LabelledRequest[]): FieldReport[] {
  const results = requests.map((request) => ({
    request,
    got: classifyByWords(request.text, {
      previous: request.after === null ? null : { goalKind: request.after },
    }),
  }));
  return FIELDS.map((field) => {
    const report: FieldReport = {
      field,
      right: 0,
      total: 0,
      sureRight: 0,
      sureTotal: 0,
      confusion: new Map(),
      misses: [],
    };
    for (const { request, got } of results) count(report, request, got);
    return report;
  });
}

function count(report: FieldReport, request: LabelledRequest, classified: Classification): void {
  const wanted = String(request[report.field]);
  const got = String(classified[report.field]);
  const row = report.confusion.get(wanted) ?? new Map<string, number>();
  row.set(got, (row.get(got) ?? 0) + 1);
  report.confusion.set(wanted, row);
  const sure = classified.confidence >= SURE;
  report.total += 1;
  if (sure) report.sureTotal += 1;
  if (wanted === got && sure) report.sureRight += 1;
  if (wanted === got) report.right += 1;
  else report.misses.push({ text: request.text, wanted, got, confidence: classified.confidence });
}

const share = (right: number, total: number): string =>
  `${right}/${total} = ${total === 0 ? '–' : ((100 * right) / total).toFixed(1)} %`;

/** The confusion tables as text: rows are labels, columns what was made of them. */
export function formatReports(title: string, reports: readonly FieldReport[]): string {
  const parts = reports.map((report) => {
    const columns = [...new Set([...report.confusion.values()].flatMap((row) => [...row.keys()]))].sort();
    const width = Math.max(...columns.map((name) => name.length), 6) + 2;
    const names = [...report.confusion.keys()].sort();
    const lines = names.map((name) => {
      const cells = columns.map((column) =>
        String(report.confusion.get(name)?.get(column) ?? 0).padStart(width),
      );
      return `  ${name.padEnd(14)}${cells.join('')}`;
    });
    return [
      `${report.field}: ${share(report.right, report.total)}; where the words decide: ${share(report.sureRight, report.sureTotal)}`,
      `  ${'label \\ got'.padEnd(14)}${columns.map((column) => column.padStart(width)).join('')}`,
      ...lines,
    ].join('\n');
  });
  return [`== ${title} ==`, ...parts].join('\n\n');
}
