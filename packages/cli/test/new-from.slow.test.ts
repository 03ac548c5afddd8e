// A project from an OpenAPI document: its declarations, its notes, and its tests.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { open } from '@nomen/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clinic, clinicNotes } from './clinic-document.ts'
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen, root } from './nomen.ts'
import { shop } from './shop-document.ts'

const readText = (...path: string[]) => readFileSync(join(...path), 'utf8')

/** A service whose document an import does not change. */
const fitting = `import { api, choice, identity, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
const task = noun('task', { id: identity(), title: text({ maxLength: 80 }), state: choice('OPEN', 'DONE').default('OPEN') })
const tasks = api('tasks', { version: 1, versioning: 'whole', writes: 'flat', resources: [resource(task)] })
export default service({ name: 'tasks', apis: [tasks] })
`

/** The notes of a project, by part of the source. */
function notesIn(folder: string): Record<string, string> {
  const rows = readText(folder, 'NOTES.md').matchAll(/^\| `(.+?)` \| (.+?) \|$/gm)
  return Object.fromEntries([...rows].map(([, location = '', text = '']) => [location, text]))
}

describe('nomen new --from an OpenAPI document', () => {
  it('declares supported parts, and notes unsupported parts with the reason', { timeout: 300_000 }, async () => {
    const folder = temporaryFolder()
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    writeFiles(folder, { 'shop.yaml': shop })
    const { code, output, errors } = await nomen(['new', 'shop', '--from', 'shop.yaml'], { folder })
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(
      /^20 differences from the source, see NOTES\.md:\n {2}POST \/api\/v2\/checkout\/start: Left out: /,
    )
    expect(output).toContain('  … and 10 more.\nCreated the project "shop" in the folder "shop" (')
    expect(readText(folder, 'shop/src/nouns.ts')).toContain(`export const customer = noun(
  'customer',
  {
    id: identity(),
    fullName: text({ minLength: 1, maxLength: 80 }).description('First and last name.').example('Ada Byron'),
    email: email(),
    vip: boolean().default(false),
    status: choice('NEW', 'IT\\'S GOOD').description('How well we know them.', { NEW: 'Since this year.' }),
    vipSince: date().nullable(),
    credit: number({ min: 0 }).nullable(),
    created: createdAt(),
    zip: text({ pattern: /^[0-9]{5}$/u }).nullable(),
    nickname: text().nullable(),
    path: text({ pattern: /^\\/[a-z]+$/u }).nullable().example('/home'),
  },
  { description: 'Somebody who buys.' },
)

export const order = noun('order', {
  id: identity(),
  number: text({ maxLength: 20 }).unique(),
  customerId: reference(() => customer),
  total: integer(),
  due: date().nullable(),
})`)
    expect(readText(folder, 'shop/src/api.ts')).toContain(`  description: 'Customers and their orders.',
  version: 2,
  versioning: 'whole',
  writes: 'flat',
  resources: [
    resource(customer, {
      description: 'Customers that have not left.',
      list: ['id', 'fullName'],
      search: ['fullName', 'email', 'zip', 'nickname', 'path'],
      filters: { created: range('created') },
      offers: ['list', 'read', 'create', 'delete'],
      children: [resource(order)],
    }),
    resource(order, { by: ['number'], offers: ['list', 'read'] }),
  ],`)
    expect(notesIn(join(folder, 'shop'))).toMatchObject({
      'POST /api/v2/checkout/start': expect.stringContaining('Left out: a path must be a noun'),
      'customer.customerId': 'Renamed to id.',
      'customer.full_name': 'Renamed to fullName.',
      'customer.vip_since': expect.stringContaining('Its example "last year" is left out: it must be a date'),
      'customer.tags': expect.stringContaining('Left out: a field cannot be an array'),
      'customer.address': expect.stringContaining('Left out: a field cannot be an object'),
      'customer.sort': expect.stringContaining('is reserved: lists have a query parameter'),
      'customer.nickname':
        'Its pattern ^(?!admin) is not checked, because it uses a lookahead or lookbehind. Write a rule.',
      'GET /api/v2/customers ?region': 'Left out: no property has this name. Declare the filter with filters: { … }.',
      'GET /api/v2/orders': 'Becomes GET /v2/order. Responds with a page, { pageInfo, results }, not an array.',
      'GET /api/v2/orders/{number}': 'Becomes GET /v2/order/by-number/{number}.',
      'DELETE /api/v2/customers/{customerId}':
        'Becomes DELETE /v2/customer/{id}. Responds with 200 and the deleted record, not 204.',
    })
    const run = (...words: string[]) =>
      execFileSync(process.execPath, words, {
        cwd: join(folder, 'shop'),
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      })
    const strict = ['--exactOptionalPropertyTypes', '--project', '.']
    expect(run(join(root, 'node_modules/typescript/bin/tsc'), ...strict)).toBe('')
    expect(run(join(root, 'node_modules/vitest/vitest.mjs'), 'run')).toMatch(/^ *Tests +3 passed \(3\)$/m)
  })

  it('notes everything that changes for callers, and keeps ids in lists', async () => {
    const folder = temporaryFolder()
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    writeFiles(folder, { 'clinic.yaml': clinic })
    const { code, errors } = await nomen(['new', 'clinic', '--from', 'clinic.yaml'], { folder })
    expect([code, errors]).toEqual([0, ''])
    expect(notesIn(join(folder, 'clinic'))).toEqual(clinicNotes)

    const { default: service } = await import(pathToFileURL(join(folder, 'clinic/service.ts')).href)
    const app = await open(service, { database: 'sqlite::memory:' })
    onTestFinished(() => app.close())
    const send = (path: string, body?: object) =>
      app.fetch(`http://clinic${path}`, {
        ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
    await send('/v1/pet', { name: 'Rex' })
    await send('/v1/visit', { petId: 1, vetId: 7 })
    for (const path of ['/v1/visit', '/v1/pet/1/visit'])
      expect(await (await send(path)).json()).toMatchObject({ results: [{ id: 1, petId: 1 }] })
  })

  it('reports a complete import only if nothing changes', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'service.ts': fitting })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    await nomen(['openapi', '--output', 'task.json'], { folder })
    const { output } = await nomen(['new', 'copy', '--from', 'task.json'], { folder })
    expect(output).toMatch(/^No differences from the source\.\n/)
    expect(existsSync(join(folder, 'copy/NOTES.md'))).toBe(false)
    writeFiles(folder, {
      'task.json': readText(folder, 'task.json').replace('"maxLength": 80', '"maxLength": 80, "pattern": "^(?!x)"'),
    })
    expect((await nomen(['new', 'other', '--from', 'task.json'], { folder })).output).toMatch(
      /^1 difference from the source, see NOTES\.md:\n {2}task\.title/,
    )
  })

  it('omits mocks for nouns with guids, and does not require a noun', async () => {
    const folder = temporaryFolder()
    const guids = shop.replaceAll('customerId: { type: integer }', 'customerId: { type: string, format: uuid }')
    writeFiles(folder, { 'shop.yaml': guids })
    await nomen(['new', 'shop', '--from', 'shop.yaml', '--name', 'store'], { folder })
    expect(readText(folder, 'shop/src/nouns.ts')).toContain("id: identity('guid'),")
    expect(notesIn(join(folder, 'shop')).mocks).toContain('UUIDs')
    expect(existsSync(join(folder, 'shop/src/mocks.ts'))).toBe(false)
    expect(readText(folder, 'shop/service.ts')).toContain("name: 'store'")
  })

  it('reads only PostgreSQL databases, and does not print a password', async () => {
    const folder = temporaryFolder()
    const { code, errors } = await nomen(['new', 'shop', '--from', 'mysql://ada:secret@localhost/shop'], { folder })
    expect([code, errors]).toEqual([
      2,
      'nomen: --from cannot read a mysql:// URL.\n  Use a file path or an http(s) URL of an OpenAPI document, or the URL of a database: postgres://…\n',
    ])
  })

  it.each([
    ['missing.yaml', '', 'missing.yaml cannot be read as an OpenAPI document'],
    ['old.json', '{ "swagger": "2.0", "paths": {} }', 'Convert it to OpenAPI 3.'],
    [
      'empty.yaml',
      'openapi: 3.1.0\ninfo: { title: x, version: "1" }\npaths: {}\n',
      'empty.yaml has nothing that can become a noun.',
    ],
  ])('reports that %s has nothing to import, and writes nothing', async (file, text, message) => {
    const folder = temporaryFolder()
    if (text !== '') writeFiles(folder, { [file]: text })
    const { code, errors } = await nomen(['new', 'shop', '--from', file], { folder })
    expect([code, errors]).toEqual([text === '' ? 2 : 1, expect.stringContaining(message)])
    expect(readdirSync(folder)).toEqual(text === '' ? [] : [file])
  })
})
