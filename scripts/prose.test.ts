// The prose check finds replaced wordings, long sentences and what-clauses, in Markdown and in TypeScript.
import { expect, it } from 'vitest'
import { findings } from './prose.ts'

const long = Array.from({ length: 31 }, (_, index) => `word${index}`).join(' ')

it.each([
  ['The port is 3000 unless given.', '1: "unless given". Write: (default: …).'],
  ['The body is no JSON.', '1: "is no ". Write: is not a ….'],
  ['Rejected lines\nare told.', '1: "are told". Write: an active sentence: Nomen reports ….'],
  ['What did not fit is listed.', '1: "What did not fit is listed.…" begins with a what-clause. Begin with a noun.'],
  ['## What it costs', '1: "What it costs…" begins with a what-clause. Begin with a noun.'],
  [`First.\n\n${long}.`, `3: 31 words in one sentence, at most 30: "${long.slice(0, 60)}…".`],
  ['| a | The service mends it. |', '1: "mends". Write: fix.'],
  ['The service recognises it.', '1: "recognis". Write: the American spelling, -ize.'],
  ['A cancelled request.', '1: "cancelled". Write: the American spelling, with one l.'],
  ['- one\n- two anew', '2: "anew". Write: again, or the prefix re-.'],
])('finds %j', (text, finding) => {
  expect(findings('page.md', text)).toEqual([finding])
})

it.each([
  'The record does not exist. A retired path is no longer served.',
  'What does it cost?',
  '```sh\n# served anew\n```\n\nAfter `anew`, and "anew" in quotes, [a link](anew.md).',
  '<!-- prose: off -->\n\nServed anew.\n\n<!-- prose: on -->',
  '<!-- growth: begin, written by a script -->\nServed anew.\n<!-- growth: end -->',
  `${long.slice(0, 100)}. ${long.slice(100, 200)}.`,
])('accepts %j', (text) => {
  expect(findings('page.md', text)).toEqual([])
})

it('skips SQL of several lines, and treats each option of a help text as a sentence', () => {
  const words = long.split(' ').slice(0, 20).join(' ')
  const source = `const sql = \`select ${words},\\n${words}\\nfrom t\`\nconst help = \`\n  --a ${words}\n  --b ${words}\``
  expect(findings('help.ts', source)).toEqual([])
})

it('reads comments, strings, templates and JSX of TypeScript, but not names', () => {
  const source = [
    '/** Serves it anew. */',
    "const anew = 'is told'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source text
    'const text = `${anew} goes on being served`',
    'const view = <p>It is no page</p>',
  ].join('\n')
  expect(findings('view.tsx', source)).toEqual([
    '1: "anew". Write: again, or the prefix re-.',
    '2: "is told". Write: an active sentence: Nomen reports ….',
    '3: "goes on being". Write: continues, or keeps serving.',
    '4: "is no ". Write: is not a ….',
  ])
})
