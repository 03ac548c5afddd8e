import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen, root } from './nomen.ts'

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

  it('fails where there are errors, and names file, line, rule and fix', async () => {
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

  it('takes exceptions for documents that cannot make them', async () => {
    const exceptions = '- { code: plural-path-segment, file: "legacy/*", path: /users, reason: Older. }\n'
    const folder = folderWith({ 'legacy/a.yaml': bad, 'b.yaml': bad, 'c.yaml': good, 'lint.yaml': exceptions })
    const flags = ['--exceptions', 'lint.yaml']
    const legacy = await nomen(['lint', 'legacy/a.yaml', 'c.yaml', ...flags], { folder })
    expect([legacy.code, legacy.output]).toEqual([0, '1 operation in 2 documents: 0 errors, 0 warnings, 1 ignored.\n'])
    expect((await nomen(['lint', 'b.yaml', ...flags], { folder })).code).toBe(1)
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
    [
      'junit',
      (text: string) => expect(text).toContain('<testcase name="plural-path-segment" classname="openapi.yaml">'),
    ],
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
    [
      ['apis'],
      "There is neither a service.ts nor an openapi.yaml in apis.\n  Name a document or a service file, or documents by a pattern: nomen lint 'apis/**/*.yaml'",
    ],
    [['openapi.yaml', '--format', 'xml'], 'There is no format "xml".'],
    [['openapi.yaml', '--ignore', 'plural-path-segments'], 'Did you mean "plural-path-segment"?'],
    [
      ['--explain', 'plural-path-segments'],
      'Did you mean "plural-path-segment"?\n  nomen lint --explain all lists them.',
    ],
    [['openapi.yaml', '--explain', 'get-body'], '--explain lints nothing, and "openapi.yaml" is named.'],
    [['openapi.yaml', '--exceptions', 'nowhere.yaml'], 'nowhere.yaml cannot be read as a list of exceptions'],
    [['openapi.yaml', '--dictionary', 'nowhere.txt'], 'The dictionary nowhere.txt cannot be read'],
    [['openapi.yaml', 'other.yaml'], 'There is no document at other.yaml.'],
    [['apis/**/*.yaml'], 'No file matches apis/**/*.yaml.'],
    [['*.txt'], 'Nothing that matches *.txt is an OpenAPI document.'],
  ])('is called wrongly: %j', async (given, message) => {
    const folder = folderWith({ 'openapi.yaml': good, 'words.txt': 'cats\n', 'apis/words.txt': '' })
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

  it('takes several documents, patterns and service files, with one report of all of them', async () => {
    const folder = folderWith({
      'apis/order/openapi.yaml': bad,
      'apis/stock.yaml': good,
      'apis/part.yaml': 'users: { type: object }\n',
      'node_modules/other/openapi.yaml': bad,
      'user.json': JSON.stringify({ openapi: '3.1.0', paths: { '/roles': { get: {} } } }),
    })
    const given = ['lint', 'user.json', '**/*.yaml', './user.json', join(root, 'apps/directory'), '--format', 'json']
    const { code, output, errors } = await nomen(given, { folder })
    const { sources, findings } = JSON.parse(output)
    expect(code).toBe(1)
    expect(sources).toEqual(['user.json', 'apis/order/openapi.yaml', 'apis/stock.yaml', join(root, 'apps/directory')])
    expect(findings.map(({ file, line }: { file: string; line: number }) => [file, line])).toEqual([
      ['apis/order/openapi.yaml', 4],
      ['user.json', 1],
    ])
    expect(errors).toBe('nomen: No OpenAPI documents by themselves, and passed over: apis/part.yaml\n')
  })

  it('tells an exception in a shared file as unused only where no document needs it', async () => {
    const shared = [
      'first: { type: object, properties: { first_name: { type: string } } }',
      'second: { type: object, properties: { lastName: { type: string } } }',
    ].join('\n')
    const exception = shared.replace('first: {', 'first: { x-nomen-ignore: { code: camel-case-name, reason: r },')
    const answer = (name: string) =>
      good.replace(
        '{}',
        `\n  /user: { post: { responses: { '201': { content: { application/json: { schema: { $ref: 'shared.yaml#/${name}' } } } } } } }`,
      )
    const folder = folderWith({ 'a.yaml': answer('first'), 'b.yaml': answer('second'), 'shared.yaml': exception })
    const [both, alone] = await Promise.all([
      nomen(['lint', '?.yaml'], { folder }),
      nomen(['lint', 'b.yaml'], { folder }),
    ])
    expect(both.output).toBe('2 operations in 2 documents: 0 errors, 0 warnings, 1 ignored.\n')
    expect(alone.output).toContain('unused-ignore')
  })

  it('takes the document of a folder that has no service file', async () => {
    const folder = folderWith({
      'openapi.json': JSON.stringify({ openapi: '3.1.0', paths: { '/users': { get: {} } } }),
    })
    const [here, named] = await Promise.all([nomen(['lint'], { folder }), nomen(['lint', folder])])
    expect([here.code, here.output.split('\n')[0], named.code]).toEqual([1, 'openapi.json', 1])
  })

  it('takes a document from standard input', async () => {
    const folder = folderWith({ 'part.yaml': 'get: { responses: {} }\n' })
    const input = good.replace('{}', '{ /users: { $ref: part.yaml } }')
    const { code, output } = await nomen(['lint', '-'], { folder, input })
    expect([code, output.split('\n')[0]]).toEqual([1, 'stdin'])
    expect(output).toContain('  3:10  error    The segment "users" of /users is plural.')
    expect((await nomen(['lint', '-'], { folder, input: good })).code).toBe(0)
  })

  it('lints the others where one cannot be read, and fails', async () => {
    const folder = folderWith({ 'a.yaml': good, 'b.yaml': 'swagger: "2.0"\n', 'c.yaml': 'openapi: [\n' })
    const { code, output, errors } = await nomen(['lint', '*.yaml'], { folder })
    expect([code, output]).toEqual([1, '0 operations: 0 errors, 0 warnings.\n'])
    expect(errors).toMatch(/^nomen: b\.yaml cannot be read .*version 2\.0.*\nc\.yaml cannot be read/)
  })
})
