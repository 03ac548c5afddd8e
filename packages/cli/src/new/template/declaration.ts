/** The files that declare: the nouns, the api that shows them, and the service. */
import { Code, literal, propertyName, quoted } from '../literal.ts'
import type { LinkDraft, NounDraft, Project } from '../project.ts'

export function nounsFile({ name, nouns, links = [] }: Project): string {
  const kinds = nouns.flatMap(({ fields }) => fields.map(({ declaration }) => declaration.replace(/\W.*/s, '')))
  const imports = [...new Set([...kinds, 'noun', ...(links.length > 0 ? ['link'] : [])])].sort()
  return `/** The nouns of ${name}: what is stored, declared once. Everything else follows from here. */
${importLine(imports, '@nomen/core')}

${[...nouns.map(nounText), ...links.map(linkText)].join('\n\n')}
`
}

function nounText({ name, identifier, fields, options, comment }: NounDraft): string {
  const indent = options ? '    ' : '  '
  const lines = fields
    .map((field) => `${commentLine(field.comment, indent)}${indent}${field.name}: ${field.declaration},\n`)
    .join('')
  const above = commentLine(comment, '')
  if (!options) return `${above}export const ${identifier} = noun(${quoted(name)}, {\n${lines}})`
  return `${above}export const ${identifier} = noun(
  ${quoted(name)},
  {
${lines}  },
  ${literal(options, '  ')},
)`
}

function linkText({ identifier, nouns: [first, second], options }: LinkDraft): string {
  return `export const ${identifier} = link(${first}, ${second}, ${literal(options, '', 40)})`
}

/** Whatever others have written of it, on one line. */
function commentLine(comment: string | undefined, indent: string): string {
  const text = comment?.replace(/\s+/g, ' ').replaceAll('*/', '* /').trim()
  return text ? `${indent}/** ${text} */\n` : ''
}

export function apiFile({ name, identifier, version, nouns, links = [] }: Project): string {
  const shown = nouns.map(resourceText)
  const isRanged = shown.some((text) => text.includes(' range('))
  const versioning =
    version === undefined ? "  versioning: 'per-noun'," : `  version: ${version},\n  versioning: 'whole',`
  return `/** How ${name} shows its nouns: shapes, filters, lookups, children. */
import { api, ${isRanged ? 'range, ' : ''}resource } from '@nomen/core'
${importLine([...nouns, ...links].map((one) => one.identifier).sort(), './nouns.ts')}

export const ${identifier} = api(${quoted(name)}, {
${versioning}
  writes: 'flat',
  resources: [
${shown.map((text) => `    ${text},\n`).join('')}  ],
})
`
}

function resourceText({ identifier, resource = {}, children = [] }: NounDraft): string {
  const below = children.map((child) =>
    typeof child === 'string'
      ? new Code(`resource(${child})`)
      : new Code(`resource(${child.identifier}, { via: ${child.via} })`),
  )
  const options = { ...resource, ...(below.length > 0 && { children: below }) }
  if (Object.keys(options).length === 0) return `resource(${identifier})`
  return `resource(${identifier}, ${literal(options, '    ', identifier.length + 11)})`
}

export function serviceFile({ name, identifier, nouns }: Project): string {
  const hasData = nouns.some(({ records }) => records)
  return `/** What \`nomen serve\` serves. Rules and whatever else computes belong here, not into the declarations. */
import { service } from '@nomen/server'
import { ${identifier} } from './src/api.ts'
${hasData ? "import { data } from './src/data.ts'\n" : ''}
export default service({
  name: ${quoted(name)},
  apis: [${identifier}],
${hasData ? '  // What an empty database begins with.\n  sample: () => Object.entries(data).map(([noun, rows]) => ({ noun, rows })),\n' : ''}})
`
}

export function dataFile({ name, identifier, nouns }: Project): string {
  const sets = nouns.map(
    ({ name: noun, records = [] }) =>
      `  ${propertyName(noun)}: [${records.map(recordLine).join('')}${records.length > 0 ? '\n  ' : ''}],\n`,
  )
  const holds = nouns.some(({ records }) => records) ? 'and an empty database begins with' : ''
  return `/** Records of ${name}, which the mocks ${holds ? `answer with ${holds}` : 'answer with'}. */
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
