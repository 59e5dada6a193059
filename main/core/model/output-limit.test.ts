import { expect, test } from 'vitest';
import { fittingOutput } from './output-limit';

test.each([
  [
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens`',
    21_333,
    11_696,
  ],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
    4_000,
    3_128,
  ],
  [
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (100000 of text input, 40000 in the output).",
    40_000,
    31_008,
  ],
  [
    "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (8000 > 8192 - 5000).",
    8_000,
    3_128,
  ],
  [
    'max_tokens is too large: 99999. This model supports at most 16384 completion tokens, whereas you provided 99999.',
    99_999,
    16_384,
  ],
  ['max_tokens is too large: 99999. This model supports at most 16384 completion tokens.', null, 16_384],
])('fault-F105: the room that is left is told from the refusal (%#)', (message, sent, room) => {
  expect(fittingOutput(message, sent)).toBe(room);
});

test.each([
  ['prompt is too long: 210000 tokens > 200000 maximum', null],
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    null,
  ],
  ['input length and `max_tokens` exceed context limit: 199990 + 10 > 200000', 10],
  ['max_tokens is too large: 100. This model supports at most 16384 completion tokens', 100],
  ['Unsupported parameter: max_tokens', 100],
  ['', null],
])(
  'fault-F105: an input that is too long by itself, and other refusals, are not answered with a shorter answer (%#)',
  (message, sent) => {
    expect(fittingOutput(message, sent)).toBeNull();
  },
);
