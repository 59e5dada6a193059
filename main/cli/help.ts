const OVERVIEW = `Lathe: a coding agent that shows its work.

Usage: lathe <command> [options]

  run       Do one task in a folder and print what happens
  serve     Open the window in a browser on this machine
  sessions  List sessions, or search in them
  export    Write a session into a folder
  import    Read a session from a folder, or those of other tools
  replay    Play a recorded session again and compare
  undo      Take back what a turn changed in files; redo takes that back
  log       List what changed files in a session
  bisect    Find the change of a session that made a command fail

  --help, --version       lathe <command> --help tells more

LATHE_HOME is the folder for all data.
`;

const MODEL = `  --base-url URL     OpenAI-compatible server, for this run only
  --model NAME       its model
  --api-key KEY      its key; never stored`;

const RUN = `Usage: lathe run --prompt TEXT [options]

  --prompt TEXT      what to do; - reads it from standard input
  --image PATH       an image to go with it: PNG, JPEG, GIF or WebP; may be repeated
  --project DIR      folder to work in (default: the current one)
  --mode MODE        agent (default), plan or ask
  --agent NAME       explore, general or an agent from a file, which brings its mode
  --session ID       go on with a session
${MODEL}
                     --model alone takes a configured one, as provider/model
  --approve WHAT     ask    ask here; without a terminal nothing is granted (default)
                     edits  grant file edits inside the folder, except protected files
                     all    grant what no rule forbids; commands run confined
                     none   grant nothing
  --max-steps N      stop after N model steps
  --trust            trust the folder for this run
  --json             one event per line on standard output, and nothing else

Exit codes: 0 finished, 1 failed, 2 bad usage, 3 stopped by a limit, 130 interrupted.
`;

const SERVE = `Usage: lathe serve [options]

  --project DIR      folder to open (default: the start page)
  --port N           port on 127.0.0.1 (default: any free one)
  --no-open          don't start a browser
${MODEL}
  --trust            trust the folder for this run
  --json             print {"url", "token", "port"} as one line when ready

The address signs one browser in, once. The token is for scripts: see docs/rest.md.
`;

const SESSIONS = `Usage: lathe sessions [options]

  --project DIR      only those of this folder
  --search TEXT      only those whose messages or title hold these words, with what was found
  --json             as [{"id", "title", "project", "updatedAt"}], newest first; updatedAt in milliseconds
`;

const EXPORT = `Usage: lathe export ID --out DIR [options]

  ID                 the session (see: lathe sessions), or the beginning of its id
  --out DIR          folder to write; it must be new or empty
  --json             {"path", "messages", "events", "files"} on standard output

Writes chat_history.jsonl (OpenAI messages, one a line), summary.json, compaction.json, compaction_checkpoints/,
and what makes it exact. Keys are hidden; what a rewind took back is left out.
`;

const IMPORT = `Usage: lathe import DIR [options]
       lathe import --from TOOL [DIR] [options]

  DIR                a folder that export wrote, or any with a chat_history.jsonl;
                     with --from: where the tool keeps its sessions (default: its usual place)
  --from TOOL        claude, codex, opencode or pi: reads all its sessions that are not there yet
  --project DIR      the project it belongs to (default: the one it names if Lathe knows it, else this folder);
                     with --from: only the sessions that were made in DIR
  --json             what was read, on standard output

What can't be read is left out and counted. Nothing of the other tool is changed.
`;

const REPLAY = `Usage: lathe replay FILE [options]

  FILE               a recording (recording.jsonl), or a folder that an export wrote
  --json             {"equal", "events", "firstDifference", "divergences"} on standard output

Plays the session offline – no model, no tool, no file is touched – and compares the events that come out with
those of the recording, byte for byte. Exit codes: 0 the same, 1 it went another way, 2 bad usage.
`;

const UNDO = `Usage: lathe undo --session ID [options]
       lathe redo --session ID [options]

  --session ID       the session (see: lathe sessions), or the beginning of its id
  --turn N           undo: the turn, counted from 1 (default: the last one that is not taken back)
  --project DIR      the project's folder (default: the session's own)
  --json             {"setId", "files", "conflicts", "cannot"} on standard output

Takes back what the turn's edits and commands changed; later changes of other lines stay. A file whose same lines
were changed later is left as it is and listed. The chat stays. Exit codes: 0 all of it, 1 not all of it, 2 bad usage.
`;

const LOG = `Usage: lathe log --session ID [options]

  --session ID       the session (see: lathe sessions), or the beginning of its id
  --project DIR      the project's folder (default: the session's own)
  --json             as [{"id", "at", "turn", "by", "label", "undoneBy", "files"}], oldest first; at in milliseconds
`;

const BISECT = `Usage: lathe bisect --session ID --command CMD [options]

  --session ID       the session (see: lathe sessions), or the beginning of its id
  --command CMD      the test: it fails now, and did not before the session's changes
  --timeout N        seconds that one run may take (default: 300); not ending in time is failing
  --project DIR      the project's folder (default: the session's own)
  --json             one line of JSON for each step; the last one is "found" or "nothing"

Works in a copy of the project, confined where the machine can; the project itself is only read.
Exit codes: 0 found, 1 nothing found, 2 bad usage, 130 interrupted.
`;

/** The help of one command, or the overview. */
export function helpText(topic: string | null): string {
  if (topic === 'run') return RUN;
  if (topic === 'serve') return SERVE;
  if (topic === 'sessions') return SESSIONS;
  if (topic === 'export') return EXPORT;
  if (topic === 'import') return IMPORT;
  if (topic === 'replay') return REPLAY;
  if (topic === 'undo' || topic === 'redo') return UNDO;
  if (topic === 'log') return LOG;
  if (topic === 'bisect') return BISECT;
  return OVERVIEW;
}
