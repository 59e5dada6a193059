import type { ScriptReply } from '../support/scripted-model/script-reply';

/** A provider that misbehaves; `ends` says whether the turn may end on it. */
export interface ProviderFault {
  name: string;
  reply: ScriptReply;
  ends: boolean;
}

const error = (message: string, code: string) => ({ error: { message, code, type: code } });
/** Servers may say how soon to come back; a soak of hours teaches nothing that one of minutes doesn't. */
const SOON = { 'retry-after-ms': '20' };

/** One of each kind of the fault table that a real server can bring about within a moment. */
export const PROVIDER_FAULTS: readonly ProviderFault[] = [
  {
    name: 'rate limit',
    reply: { status: 429, headers: SOON, body: error('slow down', 'rate_limit') },
    ends: false,
  },
  { name: 'server error', reply: { status: 500, headers: SOON, body: 'oops' }, ends: false },
  {
    name: 'overloaded',
    reply: { status: 529, headers: SOON, body: error('overloaded', 'overloaded_error') },
    ends: false,
  },
  { name: 'gateway page', reply: { status: 503, headers: SOON, body: '<html>busy</html>' }, ends: false },
  { name: 'dropped before a word', reply: { text: 'never seen', dropAfterChars: 0 }, ends: false },
  { name: 'dropped after words', reply: { text: 'half of a long answer', dropAfterChars: 9 }, ends: true },
  { name: 'quota', reply: { status: 429, body: error('no money', 'insufficient_quota') }, ends: true },
  { name: 'wrong key', reply: { status: 401, body: error('bad key', 'invalid_api_key') }, ends: true },
  { name: 'filtered', reply: { finish: 'content_filter' }, ends: true },
  {
    name: 'error inside the stream',
    reply: { text: 'a word', streamError: error('overloaded', 'overloaded') },
    ends: true,
  },
  { name: 'comments first', reply: { commentsMs: 40, text: 'Here I am.' }, ends: false },
  { name: 'a document instead of a stream', reply: { asDocument: true, text: 'All at once.' }, ends: false },
  {
    name: 'broken arguments',
    reply: { calls: [{ tool: 'read_file', args: '{"path": "src/add' }], finish: 'tool_calls' },
    ends: false,
  },
  { name: 'an unknown tool', reply: { calls: [{ tool: 'open_portal', args: {} }] }, ends: false },
  { name: 'the length limit', reply: { text: 'cut sho', finish: 'length' }, ends: false },
];
