/** Creates a project from an OpenAPI document of any service. */
import { type OpenApiDocument, readDocument } from '@nomen/conventions'
import { type JsonObject, readOpenApi } from '@nomen/core/openapi'
import { basePath } from '../../../source/base-path.ts'
import { identifierOf } from '../../identifier.ts'
import type { ChildDraft } from '../../project.ts'
import { declaredOperations } from '../declared-api.ts'
import { type FieldPlan, Target } from '../field-plan.ts'
import type { ImportedParts } from '../imported-parts.ts'
import { propertyName } from '../names.ts'
import { mergedNotes, type Note, noteMocks } from '../note.ts'
import { labelOf, nounDraft } from '../noun-plan.ts'
import { type Collection, collectionsOf, versionOf } from './collection.ts'
import { noteDocument } from './document-note.ts'
import { noteOperations } from './operation-note.ts'
import { type ConvertedNoun, readNoun } from './read-noun.ts'

export async function fromDocument(source: string): Promise<ImportedParts> {
  return importedParts(await readDocument(source))
}

/** Converts a document, with a note about everything that changes. */
export function importedParts(document: OpenApiDocument): ImportedParts {
  const table = readOpenApi(document)
  const notes: Note[] = []
  const note = (added: Note) => void notes.push(added)
  const collections = collectionsOf(table, note)
  const version = versionOf(table)
  noteDocument(document as JsonObject, table, version === undefined ? '' : `/v${version}`, note)
  const convertedNouns = withIds(
    collections.map((collection) => readNoun(collection, collections, note)),
    note,
  )
  const children = convertedNouns.map((parent) => childrenOf(parent, convertedNouns, note))
  const drafts = convertedNouns.map(({ plan, resource }, index) => nounDraft(plan, resource, children[index]))
  const resourcePlans = drafts.map(({ identifier }, index) => ({
    ...(convertedNouns[index] as ConvertedNoun),
    identifier,
    children: children[index] ?? [],
  }))
  if (convertedNouns.length > 0) {
    const context = {
      collections,
      base: basePath(document as JsonObject),
      projectOperations: declaredOperations(resourcePlans, version),
    }
    noteOperations(table.operations, context, new Set(notes.map(({ source }) => source)), note)
  }
  noteMocks(drafts, note)
  return { nouns: drafts, description: table.description, version, notes: mergedNotes(notes) }
}

/** Lists show a reference by the label of its target. To keep a property an ID, `display` leaves it out. */
function withIds(all: readonly ConvertedNoun[], note: (note: Note) => void): readonly ConvertedNoun[] {
  return all.map((converted) => {
    const { plan, collection } = converted
    const isLabelled = ([, [kind]]: readonly [string, FieldPlan]) =>
      kind.args[0] instanceof Target && hasLabel(kind.args[0].noun, all)
    const references = [...plan.fields].filter(isLabelled)
    const ids = references.filter(([property]) => isListedAsId(property, collection))
    if (ids.length === 0) return converted
    for (const [property, [kind]] of ids) {
      const { noun } = kind.args[0] as Target
      const text = `Lists show the ID of the ${noun}, not its label. To show the label, add the property to display.`
      note({ source: `${plan.name}.${property}`, text })
    }
    const display = references.filter((reference) => !ids.includes(reference)).map(([property]) => property)
    return { ...converted, resource: { ...converted.resource, display } }
  })
}

/** Whether a list of the document shows an integer or a UUID for a reference. */
function isListedAsId(property: string, { noun, record, item }: Collection): boolean {
  const listItem = item && item.properties.size > 0 ? item : record
  const source = [...listItem.properties.values()].find(({ name }) => propertyName(noun, name) === property)
  return source?.shape.type === 'integer' || source?.shape.schema.format === 'uuid'
}

function hasLabel(noun: string, all: readonly ConvertedNoun[]): boolean {
  const fields = all.find(({ plan }) => plan.name === noun)?.plan.fields
  return fields !== undefined && labelOf(fields) !== undefined
}

/** The nouns below this one in paths, if they have exactly one reference to it. */
function childrenOf(
  { plan }: ConvertedNoun,
  all: readonly ConvertedNoun[],
  note: (note: Note) => void,
): readonly ChildDraft[] {
  return all.flatMap(({ plan: child, collection, resource }) => {
    if (!collection.parents.includes(plan.name)) return []
    const source = `/${plan.name}/{…}/${collection.segment}`
    const references = [...child.fields.values()].filter(([kind]) => (kind.args[0] as Target)?.noun === plan.name)
    const { display } = resource as { display?: readonly string[] }
    if (references.length === 1)
      return { identifier: identifierOf(child.name, 'Noun'), ...(display && { options: { display } }) }
    const text = `Only at the root, /${child.name}: it has ${references.length === 0 ? 'no property that references' : 'several properties that reference'} ${plan.name}. See via and link.`
    note({ source, text })
    return []
  })
}
