// Pages are executed exactly, and every deviation is reported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { follow } from './follow.ts'

type Written = readonly [language: string, code: string, lead?: string]

/** A page of these blocks: language, code, and optionally the line above. */
function page(...blocks: readonly Written[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'page.md')
  writeFileSync(
    path,
    blocks.map(([language, code, lead = 'Then:']) => `${lead}\n\n\`\`\`${language}\n${code}\n\`\`\`\n`).join('\n'),
  )
  return path
}

it('runs all blocks of a page in one folder', async () => {
  const path = page(
    ['sh', 'mkdir desk && cd desk\nexport GREETING="good\nmorning"'],
    ['json', '{ "type": "module" }', 'In `package.json`:'],
    ['ts', '// main.ts\nexport const year = 2026\nconsole.log(year)'],
    ['console', '$ node main.ts\n2026\n$ echo "$GREETING"; \\\n  pwd | xargs basename\ngood\nmorning\ndesk'],
    [
      'diff',
      ' // main.ts\n-export const year = 2026\n+export const year = 2027\n …\n console.log(year)\n+console.log("done")',
    ],
    ['sh', 'node main.ts'],
    ['text', '2027\ndone'],
    ['sh', 'echo http://127.0.0.1:3000 >&2; false'],
    ['text', 'http://127.0.0.1:3000'],
    ['sh', 'tail -n 2 main.ts'],
    ['ts', 'console.log(year)\nconsole.log("done")'],
  )
  await using followed = await follow(path)
  expect(followed.realUrl('http://127.0.0.1:3000')).not.toContain('3000')
  expect(await followed.run('cat main.ts')).toContain('2027')
})

const faults: [string, readonly Written[], string][] = [
  ['an unknown block', [['ts', 'const noName = 1']], 'page.md:3: Unknown block (ts)'],
  ['output without a command', [['json', '{}']], 'Unknown block'],
  ['a command that fails', [['sh', 'true\nfalse\ntrue']], 'false\nexited with 1'],
  ['a program that is not installed', [['sh', 'npx nomen --help']], 'exited with 127'],
  ['a command that ends the shell', [['sh', 'exit 0']], 'has ended the shell'],
  [
    'another output',
    [
      ['sh', 'echo 1'],
      ['text', '2'],
    ],
    'page.md:9: The output differs from the page.',
  ],
  ['another output in a console', [['console', '$ echo 1\n2']], 'The output differs from the page.'],
  [
    'a change of missing lines',
    [
      ['ts', '// a.ts\nexport {}'],
      ['diff', ' // a.ts\n-b\n+c'],
    ],
    'no match for this change',
  ],
  ['a missing package', [['sh', 'npm install left-pad-2']], '"left-pad-2" is not in this checkout'],
  ['code that does not compile', [['ts', "// a.ts\nexport const year: number = '2026'"]], 'a.ts(2,14): error TS2322'],
  ['an import of a missing package', [['ts', "// a.ts\nimport '@nomen/core'"]], 'error TS'],
  [
    'an indented block',
    [['sh', 'true\n```\n\n   ```sh\n   false\n   ```\n\n```sh\ntrue']],
    'page.md:7: false\nexited with 1',
  ],
  ['another fence', [['sh', 'true\n```\n\n~~~\n~~~\n\n```sh\ntrue']], 'Line 7: write the fence as ```.'],
]

it.each(faults)('finds %s', async (_, blocks, message) => {
  await expect(follow(page(...blocks))).rejects.toThrow(message)
})
