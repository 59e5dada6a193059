/** Ways in which servers say that a model takes no images at all. */
const BLIND: readonly RegExp[] = [
  // llama.cpp ("image input is not supported – hint: … mmproj"), Mistral ("Image input is not enabled for this model")
  /image (?:input|content|url)s? (?:is|are) not (?:supported|enabled|allowed|available)/i,
  /unsupported content part type:? *\\*"image_url/i,
  /not compiled for multimodal|mmproj/i,
  // LM Studio, Ollama, xAI and others: "does not support images", "doesn't support image input"
  /(?:does not|doesn['’]t|do not|can(?:no|['’])t) (?:support|accept|take|process|handle) (?:\w+ ){0,3}(?:image|vision|multi-?modal)/i,
  // Ollama
  /missing data required for image input/i,
  // OpenAI
  /image_url is only supported by certain models/i,
  // OpenRouter
  /no endpoints found that support (?:image|vision)/i,
  // vLLM
  /is not a (?:multi-?modal|vision) model|at most 0 image/i,
  // DeepSeek
  /unknown variant [`'"]?image_url/i,
  // Groq, Cerebras and checks by pydantic: a text model's content is text
  /content['"`]?\s*(?::|must be)\s*(?:value\s*)?(?:must be )?a string/i,
  /only (?:supports? |accepts? )?text (?:input|content|messages)/i,
  /(?:vision|multi-?modal|images?) (?:is|are) not (?:supported|enabled)/i,
];

/** Ways in which they say that an image can't be read, or is larger than they take. */
const BROKEN: readonly RegExp[] = [
  // Anthropic
  /(?:could not|can(?:no|['’])t|unable to|failed to) (?:process|load|decode|parse|read|open|identify|download) (?:the |input |your )*(?:\w+ )?(?:image|base64)/i,
  /image (?:exceeds|is too large|dimensions exceed|too large)/i,
  /image (?:media |file )?(?:type|format) \S* ?(?:is )?not supported/i,
  // OpenAI
  /invalid_image|image_parse_error|invalid_base64|unsupported image|unsupported_image|valid image/i,
  /invalid (?:base64[ -])?(?:encoded )?image|invalid image/i,
  // PIL, behind vLLM and SGLang
  /cannot identify image file|image file is truncated/i,
];

/** Whether a refusal is about images: none at all (`blind`), or one that can't be read (`broken`); null: something else. */
export function imageRefusal(words: string): 'blind' | 'broken' | null {
  if (BROKEN.some((wording) => wording.test(words))) return 'broken';
  return BLIND.some((wording) => wording.test(words)) ? 'blind' : null;
}
