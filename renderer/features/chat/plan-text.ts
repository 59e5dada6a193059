import { PLAN_LIMITS, type PlanStep } from '../../../shared/model/plan';

/** A plan's steps as lines that people edit; a step of several lines goes on indented. */
export const stepsToText = (steps: readonly PlanStep[]): string =>
  steps.map(({ text }) => text.replaceAll('\n', '\n  ')).join('\n');

/**
 * Lines as steps: each line one step, indented ones go on with the step before. A step whose words stayed keeps its
 * status.
 */
export function textToSteps(text: string, before: readonly PlanStep[]): PlanStep[] {
  const steps: string[] = [];
  for (const line of text.split('\n')) {
    const isMore = /^\s+\S/.test(line) && steps.length > 0;
    if (isMore) steps[steps.length - 1] += `\n${line.trim()}`;
    else if (line.trim() !== '') steps.push(line.trim().replace(/^(?:\d+[.)]|[-*])\s+/, ''));
  }
  const statusOf = (step: string): PlanStep['status'] =>
    before.find((old) => old.text === step)?.status ?? 'pending';
  return steps
    .slice(0, PLAN_LIMITS.steps)
    .map((step) => ({ text: step.slice(0, PLAN_LIMITS.stepChars), status: statusOf(step) }));
}
