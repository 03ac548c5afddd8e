// A project that is read from a foreign contract: what is declared, what is said of the rest, and that it works.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen, root } from './nomen.ts'
import { shop } from './shop-document.ts'

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

/** The notes of a project: what became of each place. */
function notesIn(folder: string): Record<string, string> {
  const rows = read(folder, 'NOTES.md').matchAll(/^\| `(.+?)` \| (.+?) \|$/gm)
  return Object.fromEntries([...rows].map(([, place = '', text = '']) => [place, text]))
}

describe('nomen new --from an OpenAPI document', () => {
  it('declares what fits and says what does not, and why', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder()
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    writeFiles(folder, { 'shop.yaml': shop })
    const { code, output, errors } = await nomen(['new', 'shop', '--from', 'shop.yaml'], { folder })
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(
      /^15 things did not fit as it stands \(NOTES\.md\):\n {2}POST \/api\/v2\/checkout\/start: Left out: /,
    )
    expect(output).toContain('  … and 5 more.\nshop is written to shop: ')
    expect(read(folder, 'shop/src/nouns.ts')).toContain(`export const customer = noun('customer', {
  id: identity(),
  fullName: text({ minLength: 1, maxLength: 80 }),
  email: email(),
  vip: boolean().default(false),
  status: choice('NEW', 'IT\\'S GOOD'),
  credit: number({ min: 0 }).nullable(),
  created: createdAt(),
  zip: text().nullable(),
})

export const order = noun('order', {
  id: identity(),
  number: text({ maxLength: 20 }).unique(),
  customerId: reference(() => customer),
  total: integer(),
  due: date().nullable(),
})`)
    expect(read(folder, 'shop/src/api.ts')).toContain(`  version: 2,
  versioning: 'whole',
  writes: 'flat',
  resources: [
    resource(customer, {
      list: ['id', 'fullName'],
      search: ['fullName', 'email', 'zip'],
      filters: { created: range('created') },
      offers: ['list', 'read', 'create', 'delete'],
      children: [resource(order)],
    }),
    resource(order, { by: ['number'], offers: ['list', 'read'] }),
  ],`)
    expect(notesIn(join(folder, 'shop'))).toMatchObject({
      'POST /api/v2/checkout/start': expect.stringContaining('Left out: a path is a noun'),
      '/customers': expect.stringContaining('Named /customer'),
      'customer.customerId': 'Named id.',
      'customer.full_name': 'Named fullName.',
      'customer.tags': expect.stringContaining('Left out: a list of values'),
      'customer.address': expect.stringContaining('Left out: an object within a record'),
      'customer.sort': expect.stringContaining('bears the name of a query parameter'),
      'customer.zip': 'Its pattern ^[0-9]{5}$ is not checked: write a rule.',
      'GET /api/v2/customers ?region': expect.stringContaining('No property bears that name'),
      'GET /api/v2/orders': expect.stringContaining('Gives pages now'),
      '/orders/{number}': expect.stringContaining('/order/by-number/{number}'),
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

  it('leaves out mocks where identities are guids, and asks for no noun', async () => {
    const folder = temporaryFolder()
    const guids = shop.replaceAll('customerId: { type: integer }', 'customerId: { type: string, format: uuid }')
    writeFiles(folder, { 'shop.yaml': guids })
    await nomen(['new', 'shop', '--from', 'shop.yaml', '--name', 'store'], { folder })
    expect(read(folder, 'shop/src/nouns.ts')).toContain("id: identity('guid'),")
    expect(notesIn(join(folder, 'shop')).mocks).toContain('guids')
    expect(existsSync(join(folder, 'shop/src/mocks.ts'))).toBe(false)
    expect(read(folder, 'shop/service.ts')).toContain("name: 'store'")
  })

  it('reads no database but those of PostgreSQL, and does not repeat a password', async () => {
    const folder = temporaryFolder()
    const { code, errors } = await nomen(['new', 'shop', '--from', 'mysql://ada:secret@localhost/shop'], { folder })
    expect([code, errors]).toEqual([
      2,
      'nomen: --from reads no mysql:// address.\n  Name an OpenAPI document, a file or an http address; or a database: postgres://…\n',
    ])
  })

  it.each([
    ['missing.yaml', '', 'missing.yaml cannot be read as an OpenAPI document'],
    ['old.json', '{ "swagger": "2.0", "paths": {} }', 'Convert it to OpenAPI 3.'],
    ['empty.yaml', 'openapi: 3.1.0\ninfo: { title: x, version: "1" }\npaths: {}\n', 'There is no noun in empty.yaml.'],
  ])('tells of %s that nothing can be read from it, and writes nothing', async (file, text, message) => {
    const folder = temporaryFolder()
    if (text !== '') writeFiles(folder, { [file]: text })
    const { code, errors } = await nomen(['new', 'shop', '--from', file], { folder })
    expect([code, errors]).toEqual([1, expect.stringContaining(message)])
    expect(readdirSync(folder)).toEqual(text === '' ? [] : [file])
  })
})
