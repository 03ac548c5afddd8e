import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen } from './nomen.ts'

const good = "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths: {}\n"
const bad = good.replace('{}', '\n  /users:\n    get: { responses: { "200": { description: d } } }')
const warned = bad.replace('/users', '/user/{id}')

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  writeFiles(folder, files)
  return folder
}

describe('nomen lint', () => {
  it('finds nothing in the directory', async () => {
    const { code, output, errors } = await nomen(['lint', 'apps/directory'])
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(/^\d+ operations: 0 errors, 0 warnings\.\n$/)
  })

  it('fails where there are errors, and names file, line, rule and mend', async () => {
    const folder = folderWith({ 'openapi.yaml': bad })
    const { code, output } = await nomen(['lint', 'openapi.yaml'], { folder })
    expect(code).toBe(1)
    expect(output).toBe(
      'openapi.yaml\n' +
        '  4:3  error    The segment "users" of /users is plural. Call it "user".  plural-path-segment\n' +
        '\n1 operation: 1 error, 0 warnings.\nnomen lint --explain plural-path-segment explains the first of them.\n',
    )
  })

  it('does not fail for warnings', async () => {
    const folder = folderWith({ 'openapi.yml': warned })
    const { code, output } = await nomen(['lint', 'openapi.yml'], { folder })
    expect([code, output.includes('warning')]).toEqual([0, true])
  })

  it('takes a document at an address', async () => {
    const server = createServer((_, response) => response.end(bad)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { code, output } = await nomen(['lint', `http://127.0.0.1:${port}/api`, '--format', 'json'])
    expect(code).toBe(1)
    expect(JSON.parse(output).findings).toMatchObject([{ file: `http://127.0.0.1:${port}/api`, line: 4 }])
  })

  it('takes a dictionary, and rules that do not count', async () => {
    const folder = folderWith({ 'openapi.yaml': bad, 'words.txt': '# ours\nUsers\n' })
    const known = await nomen(['lint', 'openapi.yaml', '--dictionary', 'words.txt'], { folder })
    const ignored = await nomen(['lint', 'openapi.yaml', '--ignore', 'get-body, plural-path-segment'], { folder })
    expect([known.code, ignored.code]).toEqual([0, 0])
  })

  it('explains a rule, and lists all of them, without anything to lint', async () => {
    const [one, all] = await Promise.all([
      nomen(['lint', '--explain', 'plural-path-segment'], { folder: folderWith({}) }),
      nomen(['lint', '--explain', 'all'], { folder: folderWith({}) }),
    ])
    expect([one.code, one.errors]).toEqual([0, ''])
    expect(one.output).toMatch(/^plural-path-segment {2}error\n\n {2}A path names its nouns in the singular\.\n/)
    expect(one.output).toContain('\n  bad\n    /users:\n      get: …\n\n  good\n    /user:\n')
    expect(all.output).toMatch(/^unused-ignore +warning {2}What is ignored is there\.$/m)
  })

  it.each([
    ['json', (text: string) => expect(JSON.parse(text).findings).toHaveLength(1)],
    ['sarif', (text: string) => expect(JSON.parse(text).runs[0].results).toHaveLength(1)],
    [
      'github',
      (text: string) => expect(text).toMatch(/^::error file=openapi\.yaml,line=4,col=3,title=plural-path-segment::/),
    ],
  ])('writes %s', async (format, isAsExpected) => {
    const folder = folderWith({ 'openapi.yaml': bad })
    const { code, output } = await nomen(['lint', 'openapi.yaml', '--format', format], { folder })
    expect(code).toBe(1)
    isAsExpected(output)
  })

  it.each([
    [['nowhere.yaml'], 'There is no document at nowhere.yaml.'],
    [['nowhere.ts'], 'There is no service file at nowhere.ts.'],
    [['openapi.yaml', '--format', 'xml'], 'There is no format "xml".'],
    [['openapi.yaml', '--ignore', 'plural-path-segments'], 'Did you mean "plural-path-segment"?'],
    [
      ['--explain', 'plural-path-segments'],
      'Did you mean "plural-path-segment"?\n  nomen lint --explain all lists them.',
    ],
    [['openapi.yaml', '--explain', 'get-body'], '--explain lints nothing, and "openapi.yaml" is named.'],
    [['openapi.yaml', '--dictionary', 'nowhere.txt'], 'The dictionary nowhere.txt cannot be read'],
    [['openapi.yaml', 'other.yaml'], '"other.yaml" is one name too many.'],
  ])('is called wrongly: %j', async (given, message) => {
    const folder = folderWith({ 'openapi.yaml': good })
    const { code, errors } = await nomen(['lint', ...given], { folder })
    expect(code).toBe(2)
    expect(errors).toContain(message)
  })

  it('refuses what is no OpenAPI 3, and says what it is', async () => {
    const folder = folderWith({ 'swagger.json': '{ "swagger": "2.0" }' })
    const { code, errors } = await nomen(['lint', 'swagger.json'], { folder })
    expect(code).toBe(1)
    expect(errors).toMatch(
      /^nomen: swagger\.json cannot be read as an OpenAPI document: it is of version 2\.0\. Convert it to OpenAPI 3\.\n/,
    )
  })
})
