/** The files with declarations: nouns, api and service. */
import { Code, literal, propertyName, stringLiteral } from '../literal.ts'
import type { LinkDraft, NounDraft, Project } from '../project.ts'

export function nounsFile({ name, nouns, links = [] }: Project): string {
  const kinds = nouns.flatMap(({ fields }) => fields.map(({ declaration }) => declaration.replace(/\W.*/s, '')))
  const imports = [...new Set([...kinds, 'noun', ...(links.length > 0 ? ['link'] : [])])].sort()
  return `/** The nouns of ${name}: the stored fields. Service, client, documents and mocks derive from them. */
${importLine(imports, '@nomen/core')}

${[...nouns.map(nounText), ...links.map(linkText)].join('\n\n')}
`
}

function nounText({ name, identifier, fields, options }: NounDraft): string {
  const indent = options ? '    ' : '  '
  const lines = fields.map((field) => `${indent}${field.name}: ${field.declaration},\n`).join('')
  if (!options) return `export const ${identifier} = noun(${stringLiteral(name)}, {\n${lines}})`
  return `export const ${identifier} = noun(
  ${stringLiteral(name)},
  {
${lines}  },
  ${literal(options, '  ')},
)`
}

function linkText({ identifier, nouns: [first, second], options }: LinkDraft): string {
  return `export const ${identifier} = link(${first}, ${second}, ${literal(options, '', 40)})`
}

export function apiFile({ name, identifier, description, version, nouns, links = [] }: Project): string {
  const resourceTexts = nouns.map(resourceText)
  const isRanged = resourceTexts.some((text) => text.includes(' range('))
  const versioning =
    version === undefined ? "  versioning: 'per-noun'," : `  version: ${version},\n  versioning: 'whole',`
  return `/** The api of ${name}: list fields, filters, lookups and nested resources. */
import { api, ${isRanged ? 'range, ' : ''}resource } from '@nomen/core'
${importLine([...nouns, ...links].map(({ identifier: name }) => name).sort(), './nouns.ts')}

export const ${identifier} = api(${stringLiteral(name)}, {
${description === undefined ? '' : `  description: ${stringLiteral(description)},\n`}${versioning}
  writes: 'flat',
  resources: [
${resourceTexts.map((text) => `    ${text},\n`).join('')}  ],
})
`
}

function resourceText({
  identifier,
  resource = {},
  children = [],
}: Pick<NounDraft, 'identifier' | 'resource' | 'children'>): string {
  const childCode = children.map(
    ({ identifier: child, via, options }) =>
      new Code(resourceText({ identifier: child, resource: { ...(via && { via: new Code(via) }), ...options } })),
  )
  const options = { ...resource, ...(childCode.length > 0 && { children: childCode }) }
  if (Object.keys(options).length === 0) return `resource(${identifier})`
  return `resource(${identifier}, ${literal(options, '    ', identifier.length + 11)})`
}

export function serviceFile({ name, identifier, nouns }: Project): string {
  const hasData = nouns.some(({ records }) => records)
  return `/** The service that \`nomen serve\` runs. Put rules, computed fields and other code here, not into the declarations. */
import { service } from '@nomen/server'
import { ${identifier} } from './src/api.ts'
${hasData ? "import { data } from './src/data.ts'\n" : ''}
export default service({
  name: ${stringLiteral(name)},
  apis: [${identifier}],
${hasData ? '  // Records for an empty database.\n  sample: () => Object.entries(data).map(([noun, rows]) => ({ noun, rows })),\n' : ''}})
`
}

export function dataFile({ name, identifier, nouns }: Project): string {
  const sets = nouns.map(
    ({ name: noun, records = [] }) =>
      `  ${propertyName(noun)}: [${records.map(recordLine).join('')}${records.length > 0 ? '\n  ' : ''}],\n`,
  )
  const isSample = nouns.some(({ records }) => records)
  return `/** Records of ${name} for the mocks${isSample ? ' and for an empty database' : ''}. */
import type { DataOf } from '@nomen/core/mocks'
import type { ${identifier} } from './api.ts'

export const data: DataOf<typeof ${identifier}> = {
${sets.join('')}}
`
}

function recordLine(record: object): string {
  return `\n    ${literal(record, '    ')},`
}

function importLine(names: readonly string[], from: string): string {
  const line = `import { ${names.join(', ')} } from '${from}'`
  return line.length <= 118 ? line : `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}'`
}
