/** The entries of the command palette that need no request: nouns, saved views and actions. */
import { text } from '../language/language.ts'
import { isViewOf, type SavedView, viewPath } from '../model/list/saved-view.ts'
import { homePath, operationsPath, schemaPath, usagePath } from '../model/route.ts'
import { linkCollectionOf, writeCollectionOf } from '../model/service/relation.ts'
import { type Collection, rootsOf, type Service } from '../model/service/service.ts'
import { foldedText, nounText } from '../model/title.ts'
import { router } from '../state/router.ts'
import type { IconName } from '../view/icon.tsx'

export interface Entry {
  readonly id: string
  readonly title: string
  /** Tells entries with the same title apart. */
  readonly detail?: string | undefined
  readonly icon: IconName
  run(): void
}

export interface EntryGroup {
  readonly title: string
  readonly entries: readonly Entry[]
}

export function nounEntries({ apis }: Service): readonly Entry[] {
  return apis.flatMap((api) =>
    rootsOf(api).map((collection) => ({
      id: `noun ${api.base}${collection.path}`,
      title: collection.plural,
      detail: apis.length > 1 ? api.title : undefined,
      icon: 'columns' as const,
      run: () => router.go(collection.path),
    })),
  )
}

export function viewEntries(service: Service, views: readonly SavedView[]): readonly Entry[] {
  return views.flatMap((view) => {
    const collection = service.collections.find((candidate) => isViewOf(view, candidate))
    if (!collection) return []
    const run = () => router.go(viewPath(view))
    return [{ id: `view ${view.id}`, title: view.name, detail: collection.plural, icon: 'bookmark' as const, run }]
  })
}

/** A form for each noun that has one, and the pages of the service. */
export function actionEntries({ apis }: Service): readonly Entry[] {
  const { overview, usage, schema, operations } = text().common
  const canCreate = (collection: Collection) =>
    !linkCollectionOf(collection) && writeCollectionOf(collection).operations.create !== undefined
  const forms = apis.flatMap((api) =>
    rootsOf(api)
      .filter(canCreate)
      .map((collection) => ({
        id: `new ${api.base}${collection.path}`,
        title: text().view.newRecord(nounText(collection)),
        detail: apis.length > 1 ? api.title : undefined,
        icon: 'add' as const,
        run: () => router.go(`${collection.path}/~new`),
      })),
  )
  const hasOperations = apis.some(({ actions }) => actions.length > 0)
  return [
    ...forms,
    { id: 'overview', title: overview, icon: 'home', run: () => router.go(homePath) },
    { id: 'usage', title: usage, icon: 'usage', run: () => router.go(usagePath) },
    { id: 'schema', title: schema, icon: 'schema', run: () => router.go(schemaPath) },
    ...(hasOperations
      ? [{ id: 'operations', title: operations, icon: 'run' as const, run: () => router.go(operationsPath) }]
      : []),
  ]
}

/** The entries whose title or detail has all typed words; those whose title begins with the text come first. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const foldedSearch = foldedText(typed.trim())
  const words = foldedSearch.split(/\s+/)
  const textOf = ({ title, detail = '' }: Entry) => foldedText(`${title} ${detail}`)
  return entries
    .filter((entry) => words.every((word) => textOf(entry).includes(word)))
    .toSorted((a, b) => Number(textOf(b).startsWith(foldedSearch)) - Number(textOf(a).startsWith(foldedSearch)))
}
