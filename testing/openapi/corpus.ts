/** OpenAPI documents of many origins, for tests of everything that reads them. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { readDocument, readDocumentText } from '@nomen/conventions'
import { libraryDocument as consoleLibrary } from '../../apps/console/test/library-document.ts'
import { shop } from '../../packages/cli/test/shop-document.ts'
import { baseDocument } from '../../packages/conventions/test/base-document.ts'
import { goodDocument } from '../../packages/conventions/test/good-document.ts'
import { libraryDocument } from '../../packages/conventions/test/library-document.ts'

/** Documents of the npm package @readme/oas-examples (MIT), by version and name. */
const examples = [
  '3.0/callbacks',
  '3.0/circular',
  '3.0/circular-paths',
  '3.0/complex-nesting',
  '3.0/discriminators',
  '3.0/file-uploads',
  '3.0/link-example',
  '3.0/parameters-common',
  '3.0/petstore',
  '3.0/petstore-expanded',
  '3.0/petstore-simple',
  '3.0/polymorphism',
  '3.0/readme-legacy',
  '3.0/response-multiple-mediatypes',
  '3.0/schema-circular',
  '3.0/schema-deprecated',
  '3.0/server-path-level',
  '3.0/star-trek',
  '3.0/uspto',
  '3.1/petstore',
  '3.1/readme',
  '3.1/schema-types',
  '3.1/train-travel',
  '3.1/webhooks',
]

const require = createRequire(import.meta.url)
const exampleFolder = dirname(require.resolve('@readme/oas-examples/package.json'))

const text = (name: string, document: unknown) => readDocumentText(JSON.stringify(document), `${name}.json`)
const file = (path: string) => readDocument(new URL(`../../${path}`, import.meta.url).pathname)

export const corpus: Readonly<Record<string, () => ReturnType<typeof readDocument>>> = {
  access: () => file('apps/directory/src/openapi/access.json'),
  directory: () => file('apps/directory/src/openapi/directory.json'),
  'base-document': () => text('base-document', baseDocument()),
  'console-library': () => text('console-library', consoleLibrary),
  'good-document': () => text('good-document', goodDocument()),
  'json-server': () => file('packages/conventions/test/json-server.yaml'),
  library: () => text('library', libraryDocument()),
  shop: () => readDocumentText(shop, 'shop.yaml'),
  galaxy: () => readDocument(require.resolve('@scalar/galaxy/3.1.json')),
  ...Object.fromEntries(
    examples.map((name) => {
      const [version, title] = name.split('/')
      return [`${title}-${version}`, () => readDocument(join(exampleFolder, `${version}/json/${title}.json`))]
    }),
  ),
}
