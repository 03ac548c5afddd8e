// The report and the exceptions of docs/lint.md are those of the linter.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { humanReport, lintDocumentText, readExceptions } from '@nomen/conventions'
import { blocksOf } from '@nomen/testing/markdown/block'
import { expect, it, onTestFinished } from 'vitest'

const blocks = blocksOf(readFileSync(join(import.meta.dirname, 'lint.md'), 'utf8'))
const codeWith = (text: string) => `${blocks.find(({ code }) => code.includes(text))?.code}`

const operation = "{ x-nomen-kind: custom, responses: { '200': { description: Done } } }"
const methods = ['get', 'put', 'post', 'patch', 'delete'].map((method) => `    ${method}: ${operation}`)
const body = "content: { application/json: { schema: { $ref: '#/components/schemas/Invoice' } } }"

/** A document with the two violations of the page, at the lines that its report shows. */
const lines = [
  ...['openapi: 3.1.0', "info: { title: Orders, version: '1' }", 'paths:', '  /users:'],
  ...['    get:', '      x-nomen-kind: custom', '      responses:', `        '200': { description: Done, ${body} }`],
  ...['  /status:', ...methods, '  /state:', ...methods, '  /sum:', methods[0]],
  ...['components:', '  schemas:', '    Invoice:', '      type: object', '      properties:'],
  '        first_name: { type: string }',
]

/** A comment before the components moves the property to its line. */
const document = lines.toSpliced(-6, 0, ...Array<string>(31 - lines.length).fill('#')).join('\n')

it('shows the report of a document', async () => {
  const report = humanReport(await lintDocumentText(document, 'openapi.yaml'))
  expect(`${report}\n`).toBe(codeWith('camel-case-name\n'))
})

it('has an exception in a document', async () => {
  const exception = codeWith('x-nomen-ignore').split('\n').slice(2).join('\n').trimEnd()
  const { findings, ignored } = await lintDocumentText(
    document.replace('  /users:', `  /users:\n${exception}`),
    'a.yaml',
  )
  expect([findings, ignored].map((all) => all.map(({ code }) => code))).toEqual([
    ['camel-case-name'],
    ['plural-path-segment'],
  ])
})

it('has a file of exceptions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'lint.yaml'), codeWith('# lint.yaml'))
  const exceptions = await readExceptions(join(folder, 'lint.yaml'))
  const report = await lintDocumentText(document, 'apis/legacy/orders.yaml', { exceptions })
  expect(report.findings).toEqual([])
  expect(report.ignored).toHaveLength(2)
})
