import { basename } from 'node:path';
import { STEP_CAPS } from '../limits';
import { RESERVED_NAMES, type Agent } from './agent';
import { readFrontMatter, splitList, type FrontMatterEntry } from './front-matter';
import { visibleText } from './visible-text';

/** Who wrote a file: the user in Lathe's own folder, or whoever made the project. */
export type AgentOwner = 'user' | 'project';

export interface ReadAgent {
  /** Null when nothing usable is in the file. */
  agent: Agent | null;
  /** Sentences with file and line. */
  problems: string[];
}

/** Characters of the body that go into the prompt. */
const BODY_CHARS = 8_000;
const NAME = /^[a-z][a-z0-9_-]{0,39}$/;
const TOOL = /^[A-Za-z][A-Za-z0-9_-]{0,63}\*?$/;
const MODEL = /^[^\s/]+\/\S+$/;
/** Model names of other programs' agent files, which say nothing about the models that are set up here. */
const FOREIGN_MODELS = new Set(['inherit', 'sonnet', 'opus', 'haiku', 'default']);

/** Tool names of Claude Code's agent files and the tools that do the same here. */
const FOREIGN_TOOLS: Readonly<Record<string, readonly string[]>> = {
  Read: ['read_file'],
  LS: ['list_dir'],
  Glob: ['glob', 'find_files'],
  Grep: ['grep'],
  Edit: ['edit_file', 'apply_patch'],
  MultiEdit: ['edit_file', 'apply_patch'],
  Write: ['write_file'],
  Bash: ['run_command'],
  WebFetch: ['web_extract'],
  WebSearch: ['web_search'],
  TodoWrite: ['todo'],
  Task: ['task', 'task_collect'],
};

/** Collects an agent from its front matter, and one sentence for each thing that is wrong. */
class AgentReader {
  readonly problems: string[] = [];
  name: string;
  description = '';
  tools: string[] | null = null;
  model: string | null = null;
  maxSteps: number = STEP_CAPS.general;
  readOnly = false;

  constructor(
    private readonly path: string,
    fileName: string,
  ) {
    this.name = fileName.toLowerCase();
  }

  problem(line: number, message: string): void {
    this.problems.push(`${this.path}, line ${line}: ${message}.`);
  }

  take(entry: FrontMatterEntry): void {
    switch (entry.key.replaceAll('-', '_').replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)) {
      case 'name':
        this.name = this.text(entry).toLowerCase();
        break;
      case 'description':
        this.description = this.text(entry).replace(/\s+/g, ' ').slice(0, 300);
        break;
      case 'tools':
        this.takeTools(entry);
        break;
      case 'model':
        this.takeModel(entry);
        break;
      case 'max_steps':
        this.takeSteps(entry);
        break;
      case 'read_only':
        this.takeReadOnly(entry);
        break;
      // Files made for other programs have keys of their own; they are no mistake.
    }
  }

  private text({ value }: FrontMatterEntry): string {
    return (Array.isArray(value) ? value.join(' ') : value).trim();
  }

  private takeTools(entry: FrontMatterEntry): void {
    const names = Array.isArray(entry.value) ? entry.value : splitList(entry.value);
    if (names.includes('*')) return;
    const bad = names.filter((name) => !TOOL.test(name));
    if (bad.length > 0)
      this.problem(entry.line, `these are no names of tools: ${bad.join(', ').slice(0, 100)}`);
    this.tools = names.filter((name) => TOOL.test(name)).flatMap((name) => FOREIGN_TOOLS[name] ?? [name]);
  }

  private takeModel(entry: FrontMatterEntry): void {
    const model = this.text(entry);
    if (FOREIGN_MODELS.has(model.toLowerCase()) || model === '') return;
    if (MODEL.test(model)) this.model = model;
    else this.problem(entry.line, '`model` has to be `provider/model`; the session’s model is used');
  }

  private takeSteps(entry: FrontMatterEntry): void {
    const steps = Number(this.text(entry));
    if (Number.isInteger(steps) && steps >= 1 && steps <= STEP_CAPS.agent) this.maxSteps = steps;
    else this.problem(entry.line, `\`max_steps\` has to be a whole number from 1 to ${STEP_CAPS.agent}`);
  }

  /** What can't be read as "no" restricts: a typing error must not make an agent write. */
  private takeReadOnly(entry: FrontMatterEntry): void {
    const word = this.text(entry).toLowerCase();
    this.readOnly = word !== 'false' && word !== 'no';
    if (!['true', 'yes', 'false', 'no'].includes(word))
      this.problem(entry.line, '`read_only` has to be true or false; it is taken as true');
  }
}

/**
 * One agent from a Markdown file with front matter: `name`, `description`, `tools`, `model`, `max_steps`, `read_only`; the
 * body is what the agent is told. Whatever is wrong is reported and the rest is used, as far as that can't give the agent
 * more than the file says.
 *
 * @param path as problems name it
 */
export function readAgentFile(path: string, text: string, owner: AgentOwner): ReadAgent {
  const reader = new AgentReader(path, basename(path).replace(/\.md$/i, ''));
  const matter = readFrontMatter(text);
  if (!matter) {
    reader.problem(1, 'an agent file begins with front matter between two lines `---`; it is ignored');
    return { agent: null, problems: reader.problems };
  }
  for (const { line, message } of matter.problems) reader.problem(line, message);
  for (const entry of matter.entries) reader.take(entry);
  const lineOf = (key: string): number => matter.entries.find((entry) => entry.key === key)?.line ?? 1;
  if (!NAME.test(reader.name)) {
    reader.problem(lineOf('name'), 'a name has 1 to 40 letters, digits, `-` and `_`; the agent is ignored');
    return { agent: null, problems: reader.problems };
  }
  if (RESERVED_NAMES.has(reader.name)) {
    reader.problem(lineOf('name'), `"${reader.name}" is an agent of Lathe's own; the file is ignored`);
    return { agent: null, problems: reader.problems };
  }
  if (matter.body.length > BODY_CHARS)
    reader.problem(1, `only the first ${BODY_CHARS} characters of the text are used`);
  const { name, description, tools, model, maxSteps, readOnly, problems } = reader;
  return {
    agent: {
      ...{ name, title: name, description, tools, model, maxSteps, path, origin: owner, without: [] },
      mode: readOnly ? 'ask' : 'agent',
      prompt: visibleText(matter.body).slice(0, BODY_CHARS).toWellFormed(),
    },
    problems,
  };
}
