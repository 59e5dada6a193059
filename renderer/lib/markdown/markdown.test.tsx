import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown';

const html = (text: string, growing = false): string =>
  renderToStaticMarkup(<Markdown text={text} growing={growing} />);

test('sec-D06: raw HTML is shown as the text it is and never becomes an element', () => {
  const attacks = [
    '<img src=x onerror=alert(1)>',
    'text <iframe srcdoc="<script>x</script>"></iframe> more',
    '<form action="http://127.0.0.1"><button>x</button></form>',
    '<svg><image href="http://127.0.0.1/x"/></svg>',
    '<math><mtext><style><img src onerror=x>',
    '<a href="ourapp://x">y</a>',
  ];
  for (const attack of attacks) {
    const out = html(attack);
    expect(out).not.toMatch(/<(img|iframe|form|svg|math|style|script|image)\b/);
    expect(out).not.toMatch(/href="ourapp/);
    expect(out).toContain('&lt;');
  }
});

test('sec-D06: only http, https and mailto addresses become links; others stay text', () => {
  for (const href of [
    'javascript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'ourapp://x',
    '//evil.test/x',
  ]) {
    expect(html(`[go](${href})`)).not.toContain('href=');
  }
  expect(html('[go](https://example.com/a)')).toContain('href="https://example.com/a"');
  expect(html('<me@example.com>')).toContain('href="mailto:me@example.com"');
});

test('sec-D04: images make no request, inline or by reference; their host is named', () => {
  const out = html('![chart](http://127.0.0.1:9/?d=1) and ![r][x]\n\n[x]: http://127.0.0.1:9/2');
  expect(out).not.toMatch(/<img|src=/);
  expect(out).toContain('chart');
  expect(out).toContain('127.0.0.1:9, not loaded');
});

test('a link says its host when its text does not', () => {
  expect(html('[docs](https://аpple.com/)')).toContain('xn--pple-43d.com');
  expect(html('https://example.com/a')).not.toContain('md-host');
});

test('sec-G07: hidden characters in code are boxed', () => {
  expect(html('`a\u202Eb`')).toContain('U+202E');
  expect(html('```\na\u200Bb\n```')).toContain('U+200B');
});

test('task lists, nested lists, tables and headings come out as such', () => {
  const out = html('# T\n\n- [x] a\n- b\n  1. c\n\n| h | i |\n|---|--:|\n| 1 | 2 |');
  expect(out).toContain('<h3');
  expect(out).toContain('aria-label="Done"');
  expect(out).toMatch(/<ul[^>]*>.*<ol[^>]*start="1".*<\/ol>.*<\/ul>/s);
  expect(out).toContain('md-align-right');
  expect(out).not.toContain('[x]');
});

test('entities in text are resolved, in code they are not', () => {
  expect(html('a &amp;&lt;b&gt; `&amp;`')).toContain(
    'a &amp;&lt;b&gt; <code class="md-code">&amp;amp;</code>',
  );
});

test('the tip stands at the end of the block that grows and goes when it is done', () => {
  expect(html('One\n\n- two\n- three', true)).toMatch(
    /three<span class="md-tip" aria-hidden="true"><\/span><\/li>/,
  );
  expect(html('```ts\nconst a', true)).toContain('aria-busy="true"');
  expect(html('', true)).toContain('md-tip');
  expect(html('One\n\n- two', false)).not.toContain('md-tip');
});

test('a code span that is a path of the project opens it', () => {
  expect(html('see `src/a.ts:12`')).toContain('Open src/a.ts in the editor');
  expect(html('see `a.b()` and `../x/y.ts`')).not.toContain('<button');
});
