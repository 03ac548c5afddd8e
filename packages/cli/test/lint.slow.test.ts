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

  it('fails for errors, and reports the file, line, rule and fix', async () => {
    const folder = folderWith({ 'openapi.yaml': bad })
    const { code, output } = await nomen(['lint', 'openapi.yaml'], { folder })
    expect(code).toBe(1)
    expect(output).toBe(
      'openapi.yaml\n' +
        '  4:3  error    The segment "users" of /users is plural. Rename it to "user".  plural-path-segment\n' +
        '\n1 operation: 1 error, 0 warnings.\nRun nomen lint --explain plural-path-segment for an explanation of the first finding.\n',
    )
  })

  it('does not fail for warnings', async () => {
    const folder = folderWith({ 'openapi.yml': warned })
    const { code, output } = await nomen(['lint', 'openapi.yml'], { folder })
    expect([code, output.includes('warning')]).toEqual([0, true])
  })

  it('reads a document from a URL', async () => {
    const server = createServer((_, response) => response.end(bad)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { code, output } = await nomen(['lint', `http://127.0.0.1:${port}/api`, '--format', 'json'])
    expect(code).toBe(1)
    expect(JSON.parse(output).findings).toMatchObject([{ file: `http://127.0.0.1:${port}/api`, line: 4 }])
  })

  it('accepts a dictionary and ignored rules', async () => {
    const folder = folderWith({ 'openapi.yaml': bad, 'words.txt': '# ours\nUsers\n' })
    const withDictionary = await nomen(['lint', 'openapi.yaml', '--dictionary', 'words.txt'], { folder })
    const ignored = await nomen(['lint', 'openapi.yaml', '--ignore', 'get-body, plural-path-segment'], { folder })
    expect([withDictionary.code, ignored.code]).toEqual([0, 0])
  })

  it('accepts exceptions in a separate file', async () => {
    const exceptions = '- { code: plural-path-segment, file: "legacy/*", path: /users, reason: Older. }\n'
    const folder = folderWith({ 'legacy/a.yaml': bad, 'b.yaml': bad, 'c.yaml': good, 'lint.yaml': exceptions })
    const flags = ['--exceptions', 'lint.yaml']
    const legacy = await nomen(['lint', 'legacy/a.yaml', 'c.yaml', ...flags], { folder })
    expect([legacy.code, legacy.output]).toEqual([
      0,
      '1 operation in 2 documents: 0 errors, 0 warnings, 1 covered by exceptions.\n',
    ])
    expect((await nomen(['lint', 'b.yaml', ...flags], { folder })).code).toBe(1)
  })

  it('explains one or all rules without a document', async () => {
    const [single, all] = await Promise.all([
      nomen(['lint', '--explain', 'plural-path-segment'], { folder: folderWith({}) }),
      nomen(['lint', '--explain', 'all'], { folder: folderWith({}) }),
    ])
    expect([single.code, single.errors]).toEqual([0, ''])
    expect(single.output).toMatch(/^plural-path-segment {2}error\n\n {2}Nouns in paths must be singular\.\n/)
    expect(single.output).toContain('\n  bad\n    /users:\n      get: …\n\n  good\n    /user:\n')
    expect(all.output).toMatch(/^unused-ignore +warning {2}Every exception must match a violation\.$/m)
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
    [['nowhere.yaml'], 'Document not found: nowhere.yaml.'],
    [['nowhere.ts'], 'Service file not found: nowhere.ts.'],
    [
      ['apis'],
      "There is neither a service.ts nor an openapi.yaml in apis.\n  Use a document, a service file, or a pattern: nomen lint 'apis/**/*.yaml'",
    ],
    [['openapi.yaml', '--format', 'xml'], '--format must be text, json, sarif, github or junit, but is "xml".'],
    [['openapi.yaml', '--ignore', 'plural-path-segments'], 'Did you mean "plural-path-segment"?'],
    [
      ['--explain', 'plural-path-segments'],
      'Did you mean "plural-path-segment"?\n  Run "nomen lint --explain all" for a list.',
    ],
    [['openapi.yaml', '--explain', 'get-body'], '--explain cannot be combined with "openapi.yaml".'],
    [['openapi.yaml', '--exceptions', 'nowhere.yaml'], 'nowhere.yaml cannot be read as a list of exceptions'],
    [['openapi.yaml', '--dictionary', 'nowhere.txt'], 'The dictionary nowhere.txt cannot be read'],
    [['openapi.yaml', 'other.yaml'], 'Document not found: other.yaml.'],
    [['apis/**/*.yaml'], 'No file matches apis/**/*.yaml.'],
    [['*.txt'], 'No file that matches *.txt is an OpenAPI document.'],
  ])('reports wrong arguments: %j', async (args, message) => {
    const folder = folderWith({ 'openapi.yaml': good, 'words.txt': 'cats\n', 'apis/words.txt': '' })
    const { code, errors } = await nomen(['lint', ...args], { folder })
    expect(code).toBe(2)
    expect(errors).toContain(message)
  })

  it('rejects documents other than OpenAPI 3, and reports their version', async () => {
    const folder = folderWith({ 'swagger.json': '{ "swagger": "2.0" }' })
    const { code, errors } = await nomen(['lint', 'swagger.json'], { folder })
    expect(code).toBe(2)
    expect(errors).toMatch(
      /^nomen: swagger\.json cannot be read as an OpenAPI document: it has version 2\.0\. Convert it to OpenAPI 3\.\n/,
    )
  })

  it('accepts several documents, patterns and service files, with one report', async () => {
    const folder = folderWith({
      'apis/order/openapi.yaml': bad,
      'apis/stock.yaml': good,
      'apis/part.yaml': 'users: { type: object }\n',
      'node_modules/other/openapi.yaml': bad,
      'user.json': JSON.stringify({ openapi: '3.1.0', paths: { '/roles': { get: {} } } }),
    })
    const args = ['lint', 'user.json', '**/*.yaml', './user.json', join(root, 'apps/directory'), '--format', 'json']
    const { code, output, errors } = await nomen(args, { folder })
    const { sources, findings } = JSON.parse(output)
    expect(code).toBe(1)
    expect(sources).toEqual(['user.json', 'apis/order/openapi.yaml', 'apis/stock.yaml', join(root, 'apps/directory')])
    expect(findings.map(({ file, line }: { file: string; line: number }) => [file, line])).toEqual([
      ['apis/order/openapi.yaml', 4],
      ['user.json', 1],
    ])
    expect(errors).toBe('nomen: Skipped files that are not OpenAPI documents: apis/part.yaml\n')
  })

  it('reports an exception of a shared file as unused only if no document needs it', async () => {
    const shared = [
      'first: { type: object, properties: { first_name: { type: string } } }',
      'second: { type: object, properties: { lastName: { type: string } } }',
    ].join('\n')
    const exception = shared.replace('first: {', 'first: { x-nomen-ignore: { code: camel-case-name, reason: r },')
    const response = (name: string) =>
      good.replace(
        '{}',
        `\n  /user: { post: { responses: { '201': { content: { application/json: { schema: { $ref: 'shared.yaml#/${name}' } } } } } } }`,
      )
    const folder = folderWith({ 'a.yaml': response('first'), 'b.yaml': response('second'), 'shared.yaml': exception })
    const [bothDocuments, oneDocument] = await Promise.all([
      nomen(['lint', '?.yaml'], { folder }),
      nomen(['lint', 'b.yaml'], { folder }),
    ])
    expect(bothDocuments.output).toBe('2 operations in 2 documents: 0 errors, 0 warnings, 1 covered by exceptions.\n')
    expect(oneDocument.output).toContain('unused-ignore')
  })

  it('uses the document of a folder without a service file', async () => {
    const folder = folderWith({
      'openapi.json': JSON.stringify({ openapi: '3.1.0', paths: { '/users': { get: {} } } }),
    })
    const [folderResult, namedFolderResult] = await Promise.all([nomen(['lint'], { folder }), nomen(['lint', folder])])
    expect([folderResult.code, folderResult.output.split('\n')[0], namedFolderResult.code]).toEqual([
      1,
      'openapi.json',
      1,
    ])
  })

  it('reads a document from standard input', async () => {
    const folder = folderWith({ 'part.yaml': 'get: { responses: {} }\n' })
    const input = good.replace('{}', '{ /users: { $ref: part.yaml } }')
    const { code, output } = await nomen(['lint', '-'], { folder, input })
    expect([code, output.split('\n')[0]]).toEqual([1, 'stdin'])
    expect(output).toContain('  3:10  error    The segment "users" of /users is plural.')
    expect((await nomen(['lint', '-'], { folder, input: good })).code).toBe(0)
  })

  it('lints the other documents if one cannot be read, and fails', async () => {
    const folder = folderWith({ 'a.yaml': good, 'b.yaml': 'swagger: "2.0"\n', 'c.yaml': 'openapi: [\n' })
    const { code, output, errors } = await nomen(['lint', '*.yaml'], { folder })
    expect([code, output]).toEqual([2, '0 operations: 0 errors, 0 warnings.\n'])
    expect(errors).toMatch(/^nomen: b\.yaml cannot be read .*version 2\.0.*\nc\.yaml cannot be read/)
  })
})
