import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from '../../../shared/model/mode';
import { AppError } from '../../../shared/error';
import { BUILTIN_AGENTS, MODE_AGENTS, unaliased, type Agent } from './agent';
import { readAgentFile, type AgentOwner } from './agent-file';

const MAX_FILES = 100;
const MAX_BYTES = 64 * 1024;

export interface AgentCatalogState {
  agents: readonly Agent[];
  /** One sentence with file and line for each thing that is wrong. */
  problems: readonly string[];
}

interface Folder {
  path: string;
  owner: AgentOwner;
}

/** Where a project keeps agents, nearest first; a name found twice is the first one's. */
const PROJECT_FOLDERS = [
  ['.lathe', 'agents'],
  ['.claude', 'agents'],
] as const;

/** Files of one folder. A link in a project could show the model any file of the user's, so links don't count there. */
function listFiles({ path, owner }: Folder, problems: string[]): string[] {
  const isFolder = (each: string): boolean => {
    const facts = lstatSync(each, { throwIfNoEntry: false });
    return facts?.isDirectory() === true || (owner === 'user' && facts?.isSymbolicLink() === true);
  };
  try {
    if (!isFolder(path) || (owner === 'project' && !isFolder(join(path, '..')))) return [];
    const names = readdirSync(path)
      .filter((name) => name.toLowerCase().endsWith('.md'))
      .toSorted();
    if (names.length > MAX_FILES) problems.push(`${path}: only the first ${MAX_FILES} agent files are read.`);
    return names.slice(0, MAX_FILES).map((name) => join(path, name));
  } catch (error) {
    problems.push(`${path} can't be read (${error instanceof Error ? error.message : String(error)}).`);
    return [];
  }
}

function readText(path: string, owner: AgentOwner): { text: string } | { problem: string } {
  try {
    const facts = lstatSync(path);
    const readable = facts.isFile() || (owner === 'user' && facts.isSymbolicLink());
    if (!readable) return { problem: `${path} is not a plain file; it is ignored.` };
    if (facts.size > MAX_BYTES) return { problem: `${path} is larger than 64 KB; it is ignored.` };
    return { text: readFileSync(path, 'utf8').slice(0, MAX_BYTES) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `${path} can't be read (${reason}); it is ignored.` };
  }
}

/** The agents that a session can have: Lathe's own, the user's and those of the open project. */
export class AgentCatalog {
  private projectRoot: string | null = null;
  private known: AgentCatalogState = { agents: BUILTIN_AGENTS, problems: [] };

  /** @param userFolder `<LATHE_HOME>/agents` */
  constructor(private readonly userFolder: string) {
    this.reload();
  }

  /** Adds the agents of this project; null takes them away. */
  setProject(root: string | null): void {
    this.projectRoot = root;
    this.reload();
  }

  /** Reads the files again. Never fails: what is wrong is in `problems`. */
  reload(): AgentCatalogState {
    const problems: string[] = [];
    const agents = new Map<string, Agent>();
    for (const folder of this.folders()) {
      for (const path of listFiles(folder, problems)) this.readOne(path, folder.owner, agents, problems);
    }
    this.known = { agents: [...BUILTIN_AGENTS, ...agents.values()], problems };
    return this.known;
  }

  get state(): AgentCatalogState {
    return this.known;
  }

  find(name: string): Agent | null {
    const wanted = unaliased(name.trim().toLowerCase());
    return this.known.agents.find((agent) => agent.name === wanted) ?? null;
  }

  /** @throws AppError `not_found` with the names there are */
  require(name: string): Agent {
    const found = this.find(name) ?? (this.reload(), this.find(name));
    if (found) return found;
    throw new AppError('not_found', `There is no agent "${name.slice(0, 60)}".`, {
      hint: `There are: ${this.known.agents.map((agent) => agent.name).join(', ')}.`,
    });
  }

  /** The agent of a session; one whose file is gone gives way to the agent of the session's mode. */
  of(session: { agent: string | null; mode: Mode }): Agent {
    return (session.agent === null ? null : this.find(session.agent)) ?? MODE_AGENTS[session.mode];
  }

  private folders(): Folder[] {
    const root = this.projectRoot;
    const inProject =
      root === null
        ? []
        : PROJECT_FOLDERS.map((parts) => ({ path: join(root, ...parts), owner: 'project' as const }));
    // The user's own come first: a project can't put something else under a name the user knows.
    return [{ path: this.userFolder, owner: 'user' }, ...inProject];
  }

  private readOne(path: string, owner: AgentOwner, agents: Map<string, Agent>, problems: string[]): void {
    const read = readText(path, owner);
    if ('problem' in read) {
      problems.push(read.problem);
      return;
    }
    const { agent, problems: found } = readAgentFile(path, read.text, owner);
    problems.push(...found);
    if (!agent) return;
    const other = agents.get(agent.name);
    if (other)
      problems.push(`${path}: there is an agent "${agent.name}" in ${other.path ?? 'Lathe'} already.`);
    else agents.set(agent.name, agent);
  }
}
