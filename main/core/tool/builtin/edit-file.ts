import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { applyEdits, type EditOutcome, type TextEdit } from '../../edit/replace';
import type { ToolContext } from '../types';
import { changeTool } from './lib/change-tool';
import { missingFile } from './lib/missing-file';
import { CRLF_ASKED_FOR, newFileEnding } from './lib/new-file-ending';
import { withStaleHint } from './lib/stale-hint';
import { planWrite, type CurrentFile, type WritePlan } from './lib/write-plan';

const MAX_EDITS = 100;

const Edit = z.object({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});

const Input = z.object({
  path: z.string().min(1),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().optional(),
  edits: z.array(Edit).min(1).max(MAX_EDITS).optional(),
});
type Input = z.output<typeof Input>;

/** Both forms of the arguments as one list. @throws AppError `bad_argument` when there is neither or both */
function editsOf(args: Input): TextEdit[] {
  const single = args.old_string !== undefined || args.new_string !== undefined;
  if (single === (args.edits !== undefined))
    throw wrongForm('Give either old_string and new_string, or edits.');
  if (args.edits !== undefined) {
    return args.edits.map((edit) => ({
      oldString: edit.old_string,
      newString: edit.new_string,
      replaceAll: edit.replace_all ?? false,
    }));
  }
  if (args.old_string === undefined || args.new_string === undefined) {
    throw wrongForm('old_string and new_string go together.');
  }
  return [{ oldString: args.old_string, newString: args.new_string, replaceAll: args.replace_all ?? false }];
}

const wrongForm = (message: string): AppError => new AppError('bad_argument', message, { audience: 'model' });

async function plan(args: Input, current: CurrentFile, context: ToolContext): Promise<WritePlan> {
  const edits = editsOf(args);
  if (current.file === null) return await planCreation(current, edits, context);
  try {
    const outcome = applyEdits(current.file, edits, current.resolved.relative);
    const made = await planWrite(current, outcome.raw, notesOf(outcome, current.changedSinceRead), context);
    return withMatch(made, outcome);
  } catch (error) {
    throw current.changedSinceRead ? withStaleHint(error) : error;
  }
}

/** An empty old_string makes a file that is not there (case-E17). */
async function planCreation(
  current: CurrentFile,
  edits: TextEdit[],
  context: ToolContext,
): Promise<WritePlan> {
  const [first] = edits;
  if (edits.length !== 1 || first === undefined || first.oldString !== '') {
    throw await missingFile(current.resolved.relative, context);
  }
  const text = first.newString;
  const ending = text.includes('\r\n') ? '\n' : await newFileEnding(current.resolved.relative, context);
  if (ending === '\n') return await planWrite(current, text, [], context);
  return await planWrite(current, text.replaceAll('\n', ending), [CRLF_ASKED_FOR], context);
}

function notesOf(outcome: EditOutcome, stale: boolean): string[] {
  const loose = outcome.edits.filter((edit) => edit.strategy !== 'exact');
  return [
    ...loose.map((edit) => `line ${edit.line}: matched by ${edit.strategy}`),
    ...(stale ? ['the file had changed since you read it; the text was still unique'] : []),
  ];
}

/** The diff says how its text was found, where that was not exactly (E2). */
function withMatch(plan: WritePlan, { edits }: EditOutcome): WritePlan {
  const loose = new Set(edits.map(({ strategy }) => strategy).filter((strategy) => strategy !== 'exact'));
  if (loose.size === 0) return plan;
  const diff = { ...plan.diff, match: [...loose].join(', ') };
  return { ...plan, diff, subject: { kind: 'write', paths: [diff.path], diffs: [diff] } };
}

export const editFile = changeTool({
  name: 'edit_file',
  describe:
    'Replace exact text in a file. old_string must match exactly one place, white space included, without line ' +
    'numbers (or set replace_all). Several edits to one file: edits, all or nothing, each matched on the original. ' +
    'An empty old_string creates a new file.',
  input: Input,
  doing: 'Editing',
  done: 'Edited',
  plan,
  joins: true,
});
