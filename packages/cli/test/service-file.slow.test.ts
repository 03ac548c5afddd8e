// Errors of a service file with mistakes.
import { expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen } from './nomen.ts'

const nouns = `import { identity, integer, noun, reference, text } from '@nomen/core'

export const book = noun('books', {
  id: identity(),
  title: text({ max: 80 } as object),
  pages: integer({ minimum: 1 } as object),
})
export const author = noun('author', { name: text() })
export const loan = noun('loan', { id: identity(), book: reference(() => book), due: text() })
`
const service = `import { api, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { author, book, loan } from './nouns.ts'

const resources = [resource(book), resource(author), resource(loan, { list: ['id', 'duee'] as never[] })]
const library = api('library', { versioning: 'per-noun', writes: 'nested', resources })
export default service({ name: 'library', apis: [library], rule: [] } as never)
`

it.each(['serve', 'lint', 'openapi'])(
  'nomen %s reports the mistakes of all declarations with their lines',
  async (command) => {
    const folder = serviceFolder({ 'service.ts': service, 'nouns.ts': nouns })
    const { code, errors } = await nomen([command, 'service.ts', ...(command === 'serve' ? ['--port', '0'] : [])], {
      folder,
    })
    expect(errors).toBe(`nomen: 6 errors in the declarations:
  1. noun "books": the name looks like a plural; nouns must be singular.
     Fix: rename it to "book", or add { isSingular: true } if it is not a plural.
     At nouns.ts:3:21
  2. noun "books", field "title": text() has no option "max".
     Fix: write maxLength.
     At nouns.ts:5:10
  3. noun "books", field "pages": integer() has no option "minimum".
     Fix: write min.
     At nouns.ts:6:10
  4. noun "author": it has no identity (primary key).
     Fix: declare exactly one identity, such as id: identity().
     At nouns.ts:8:23
  5. resource "loan": list refers to "duee", which does not exist.
     Fix: did you mean "due"?
     At service.ts:5:54
  6. service "library": unknown option "rule".
     Fix: did you mean "rules"?
     At service.ts:7:16
`)
    expect(code).toBe(1)
  },
)

it.each([
  ['./other', './other.ts'],
  ['./other.js', './other.ts'],
  ['./part', './part/index.ts'],
])('an import of %s is reported with the correct file name', async (importPath, correctPath) => {
  const folder = serviceFolder({ 'service.ts': `import '${importPath}'\n`, 'other.ts': '', 'part/index.ts': '' })
  const { code, errors } = await nomen(['openapi'], { folder })
  expect(errors).toContain(`  Write '${correctPath}' in service.ts: Node needs the actual file name.\n`)
  expect(code).toBe(1)
})
