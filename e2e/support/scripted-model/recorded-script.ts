import type { Recording } from '../../../main/core/recording/recording-file';
import type { ModelReply } from '../../../main/core/model/port';
import type { ScriptReply } from './script-reply';

/** The model's side of a recorded session as a script: the same replies, for a server that plays them over HTTP. */
export function recordedScript({ tape }: Recording): ScriptReply[] {
  return tape.flatMap((entry) => {
    if (entry.k !== 'reply') return [];
    const { text, reasoning, calls, usage } = entry.v as ModelReply;
    return [
      {
        ...(text === '' ? {} : { text }),
        ...(reasoning === '' ? {} : { reasoning }),
        ...(calls.length === 0
          ? {}
          : { calls: calls.map(({ id, name, raw }) => ({ tool: name, args: raw, id })) }),
        ...(usage
          ? { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }
          : {}),
      },
    ];
  });
}
