import { expect, test } from 'vitest';
import { given, png } from '../../../e2e/support/pictures';
import {
  startScriptedModel,
  type ScriptedModelOptions,
} from '../../../e2e/support/scripted-model/scripted-model';
import { imageRefusal } from './image-refusal';
import { OpenAiProvider } from './openai-provider';
import type { ModelMessage, ModelStreamEvent } from './port';
import { DEFAULT_DIALECT } from './presets';
import { withRetries } from './retry';

test('servers say in many words that a model takes no images', () => {
  const words = [
    // OpenAI
    'Invalid content type. image_url is only supported by certain models.',
    // OpenRouter
    'No endpoints found that support image input',
    // llama.cpp
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    'image input is not supported by this server',
    'Failed to parse messages: Unsupported content part type: "image_url"; messages = […',
    // vLLM
    'meta-llama/Llama-3.1-8B is not a multimodal model',
    'At most 0 image(s) may be provided in one request.',
    // Ollama
    'Failed to create new sequence: failed to process inputs: this model is missing data required for image input',
    // LM Studio
    'Model does not support images. Please use a model that does.',
    // Mistral
    'Image input is not enabled for this model',
    // DeepSeek
    'Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`',
    // Groq
    "'messages.1' : for 'role:user' the following must be satisfied[('messages.1.content' : value must be a string)]",
    // llamafile
    "The server was not compiled for multimodal or the model projector can't be loaded.",
    'This model does not support image input.',
  ];
  expect(words.filter((each) => imageRefusal(each) !== 'blind')).toEqual([]);
});

test('fault-F110: servers say in many words that an image can’t be read', () => {
  const words = [
    'Could not process image',
    'messages.11.content.8.image.source.base64.data: Image format image/png not supported',
    'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes',
    'You uploaded an unsupported image. Please make sure your image has of one the following formats',
    'The image data you provided does not represent a valid image. Please check your input',
    'Invalid base64 image_url.',
    'cannot identify image file <_io.BytesIO object at 0x7f>',
    'Failed to load image or audio file',
    'Unable to process input image.',
  ];
  expect(words.filter((each) => imageRefusal(each) !== 'broken')).toEqual([]);
});

test('other refusals are none of images', () => {
  const words = [
    'Unsupported value: temperature does not support 0.2 with this model',
    'This model does not support tools',
    "Invalid schema for function 'read_file': 'content' is not a valid property",
    'prompt is too long: 210000 tokens > 200000 maximum',
    'The model `gpt-image` does not exist',
    'tool_choice is not supported',
  ];
  expect(words.filter((each) => imageRefusal(each) !== null)).toEqual([]);
});

const BLUE = given(png(8, 8));
const RED = given(png(8, 8, [200, 0, 0]));
const look = (...images: { mime: string; base64: string }[]): ModelMessage => ({
  role: 'user',
  content: 'look',
  images,
});

async function bench(options: ScriptedModelOptions) {
  const model = await startScriptedModel(options);
  const blind: string[] = [];
  const provider = withRetries(
    new OpenAiProvider({
      ...{ id: 'x', name: 'Example', baseUrl: model.url, apiKey: null, dialect: DEFAULT_DIALECT },
      onBlind: (name) => blind.push(name),
    }),
    { baseMs: 1 },
  );
  const send = async (...messages: ModelMessage[]) => {
    const request = { model: 'm', messages, tools: [], toolChoice: 'auto' } as const;
    const stream = provider.stream(
      { ...request, messages: [...messages], tools: [] },
      { signal: new AbortController().signal },
    );
    const events: ModelStreamEvent[] = [];
    for (;;) {
      const next = await stream.next();
      if (next.done)
        return { text: next.value.text, notices: events.filter(({ type }) => type === 'notice') };
      events.push(next.value);
    }
  };
  const sent = (at: number): string => JSON.stringify(model.requests[at]?.body.messages);
  return { model, blind, send, sent, [Symbol.asyncDispose]: () => model.close() };
}

const refused = (status: number, message: string) => ({
  status,
  body: { error: { message, type: 'server_error' } },
});

test('a model that refuses images gets a line of text for each, once; the user is told once', async () => {
  await using run = await bench({
    script: [
      refused(500, 'image input is not supported by this server'),
      'ok',
      refused(400, 'x is not a multimodal model'),
      'ok',
    ],
  });
  const { text, notices } = await run.send(look(BLUE), look(RED));
  expect(text).toBe('ok');
  expect(run.model.requests).toHaveLength(2);
  expect(run.sent(1)).not.toContain('image_url');
  expect(run.sent(1)).toMatch(
    /an image \(PNG, 8×8 pixels\); Example says that this model does not take images/,
  );
  expect(notices).toMatchObject([
    {
      kind: 'images_left_out',
      text: expect.stringContaining('m does not take images at Example') as unknown,
    },
  ]);
  expect((await run.send(look(BLUE))).notices).toEqual([]);
  expect(run.blind).toEqual(['m', 'm']);
});

test('a refusal inside of a stream that began well counts too', async () => {
  await using run = await bench({
    script: [
      { finish: null, streamError: { message: 'No endpoints found that support image input', code: 404 } },
      'ok',
    ],
  });
  expect((await run.send(look(BLUE))).text).toBe('ok');
  expect(run.blind).toEqual(['m']);
});

test('fault-F110: an image that the server can’t read is left out from then on; those it took before stay', async () => {
  await using run = await bench({ script: ['one', refused(400, 'Could not process image'), 'two', 'three'] });
  await run.send(look(BLUE));
  const { text, notices } = await run.send(look(BLUE), look(RED));
  expect([text, notices.length]).toEqual(['two', 1]);
  expect(run.sent(2)).toContain(BLUE.base64);
  expect(run.sent(2)).not.toContain(RED.base64);
  await run.send(look(BLUE), look(RED), { role: 'user', content: 'more' });
  expect(run.model.requests).toHaveLength(4);
  expect(run.sent(3)).not.toContain(RED.base64);
  expect(run.blind).toEqual([]);
});

test('a refusal that goes on is told as it is; one without images in the request is none of ours', async () => {
  await using run = await bench({ otherwise: refused(400, 'this model does not support images') });
  await expect(run.send(look(BLUE))).rejects.toMatchObject({ code: 'provider_invalid_request' });
  expect(run.model.requests).toHaveLength(2);
  await expect(run.send({ role: 'user', content: 'hi' })).rejects.toMatchObject({
    code: 'provider_invalid_request',
  });
  expect(run.model.requests).toHaveLength(3);
});
