import { z } from 'zod';
import { writeFileSet } from '../../change/file-set';
import type { FileSetJournal } from '../../change/file-set-journal';
import { changeLabel, fileName } from '../../edit/label';
import { parsePatch } from '../../edit/patch/parse-patch';
import { defineTool } from '../define';
import type { ToolContext, ToolDefinition, ToolResult } from '../types';
import { AGENT_ONLY } from './lib/access';
import { planPatch, type PatchPlan } from './lib/patch-plan';
import { unsavedNote } from './lib/write-plan';

const Input = z.object({ patch: z.string().min(1) });

/** What the tool needs beside the project's files. */
export interface ApplyPatchPorts {
  /** Where files are kept as they were until all of a patch is written. */
  fileSets: FileSetJournal;
}

/** Every path that a patch names, also those that files are moved to. @throws AppError `bad_argument` */
const pathsOf = (patch: string): string[] => [
  ...new Set(
    parsePatch(patch).flatMap((section) => [
      section.path,
      ...(section.kind === 'update' && section.moveTo !== null ? [section.moveTo] : []),
    ]),
  ),
];

/** A change of several files in one envelope (V4A), written wholly or not at all (E4). */
export const createApplyPatch = (ports: ApplyPatchPorts): ToolDefinition<typeof Input, PatchPlan> =>
  defineTool({
    name: 'apply_patch',
    effect: 'write',
    describe:
      'Change several files at once, all or nothing. Form: *** Begin Patch, then sections *** Add File: p (lines with +), ' +
      '*** Delete File: p, *** Update File: p [*** Move to: q] with chunks (@@ [line to look for], then lines with ' +
      'space, - or +; three lines of context; *** End of File pins to the end), then *** End Patch.',
    input: Input,
    modes: AGENT_ONLY,
    subject: ({ patch }) => ({ paths: pathsOf(patch) }),
    label: ({ patch }) => `Patching ${what(pathsOf(patch))}`,
    prepare: ({ patch }, context) => planPatch(patch, context),
    run: async ({ patch }, context, prepared: PatchPlan | null) => {
      const plan = prepared ?? (await planPatch(patch, context));
      await writeFileSet(context.files, plan.changes, ports.fileSets);
      for (const { realRelative, hash } of plan.seen) context.ledger.note(realRelative, hash);
      return resultOf(plan, unsavedNotes(plan, context));
    },
  });

const what = (paths: readonly string[]): string =>
  paths.length === 1 ? `\`${fileName(paths[0] ?? '')}\`` : `${paths.length} files`;

const VERBS = { create: 'Created', modify: 'Changed', delete: 'Deleted', move: 'Moved' } as const;

const unsavedNotes = ({ touched }: PatchPlan, context: ToolContext): string[] =>
  touched.flatMap((file) => {
    const note = unsavedNote(file, context);
    return note === null ? [] : [`\`${file.relative}\`: ${note}`];
  });

function resultOf({ diffs, notes }: PatchPlan, more: readonly string[]): ToolResult {
  const lines = diffs.map((diff) => {
    const from = diff.movedFrom === undefined ? '' : ` from \`${diff.movedFrom}\``;
    const loose = diff.match === undefined ? '' : `, matched by ${diff.match}`;
    return `${VERBS[diff.change]} \`${diff.path}\`${from} (${changeLabel(diff)}${loose}).`;
  });
  const sum = {
    additions: diffs.reduce((total, diff) => total + diff.additions, 0),
    deletions: diffs.reduce((total, diff) => total + diff.deletions, 0),
  };
  return {
    text: [...lines, ...[...notes, ...more].map((note) => `Note: ${note}.`)].join('\n'),
    diffs,
    label: `Patched ${what(diffs.map(({ path }) => path))} ${changeLabel(sum)}`,
  };
}
