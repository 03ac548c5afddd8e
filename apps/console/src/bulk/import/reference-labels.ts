/** Finds the IDs of records that a file names by their labels, as an exported list shows its references. */

import type { HttpClient } from '../../http/http-client.ts'
import { pageFrom } from '../../http/response-body.ts'
import { text } from '../../language/language.ts'
import { withHidden } from '../../model/list/query.ts'
import { formOf } from '../../model/record/form.ts'
import { labelFields, labelOf } from '../../model/record/label.ts'
import type { Json } from '../../model/service/openapi.ts'
import { type Collection, idOf, rootOf, type Service, type Variant } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'

interface Reference {
  readonly name: string
  readonly title: string
  readonly isNumeric: boolean
  readonly target: Collection
}

export interface ResolvedReferences {
  readonly body: Json
  /** The reason why a label has no ID; undefined if all have one. */
  readonly reason: string | undefined
  /** Another row of the file may create the missing record. */
  readonly isPending: boolean
}

/** A list with more records than this is not read as a whole. */
const maxPages = 20
const largestPage = 1000
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export class ReferenceLabels {
  readonly #http: HttpClient
  readonly #service: Service
  readonly #collection: Collection
  readonly #references: readonly Reference[]
  /** The IDs by label, for each noun. */
  readonly #ids = new Map<string, Promise<Map<string, unknown[]>>>()

  constructor(http: HttpClient, service: Service, collection: Collection) {
    this.#http = http
    this.#service = service
    this.#collection = collection
    this.#references = formOf(collection, 'create').fields.flatMap(({ name, title, reference, isNumeric }) => {
      const target = reference === undefined ? undefined : rootOf(service, collection.api, reference)
      return target ? [{ name, title, isNumeric, target }] : []
    })
  }

  /** The body with IDs in place of labels. */
  async resolve(body: Json): Promise<ResolvedReferences> {
    const values: { [name: string]: unknown } = { ...body }
    for (const { name, title, isNumeric, target } of this.#references) {
      const value = values[name]
      if (typeof value !== 'string' || value === '' || (isNumeric ? /^\d+$/.test(value) : uuid.test(value))) continue
      const ids = (await this.#idsOf(target)).get(value) ?? []
      if (ids.length === 1) values[name] = ids[0]
      // The text may also be an ID, which the service checks.
      else if (isNumeric || ids.length > 1) {
        const reason = text().bulk.labelUnknown(title, value, ids.length, nounText(target))
        return { body, reason, isPending: ids.length === 0 && target.noun === this.#collection.noun }
      }
    }
    return { body: values, reason: undefined, isPending: false }
  }

  /** A created record can be referenced by the next rows. */
  async add(record: Json): Promise<void> {
    const ownReference = this.#references.find(({ target }) => target.noun === this.#collection.noun)
    if (ownReference)
      addTo(
        await this.#idsOf(ownReference.target),
        labelOf(this.#service, ownReference.target, record),
        idOf(ownReference.target, record),
      )
  }

  #idsOf(target: Collection): Promise<Map<string, unknown[]>> {
    const known = this.#ids.get(target.noun) ?? this.#readIds(target)
    this.#ids.set(target.noun, known)
    return known
  }

  async #readIds(target: Collection): Promise<Map<string, unknown[]>> {
    const ids = new Map<string, unknown[]>()
    const names = labelFields(this.#service, target)
    const showsLabel = ({ columns }: Variant) => names.every((name) => columns.some((column) => column.name === name))
    const variant = target.variants.find(showsLabel) ?? target.variants[0]
    for (let pageNumber = 1; variant && pageNumber <= maxPages; pageNumber++) {
      const query = new URLSearchParams()
      if (variant.isPaginated) query.set('pageNumber', `${pageNumber}`)
      if (variant.pageSize) query.set('pageSize', `${Math.min(largestPage, variant.pageSize.maximum)}`)
      const { base } = target.api
      const all = withHidden(variant.filters, query)
      const { body } = await this.#http.send({ base, method: 'GET', path: variant.path, query: all })
      const { records, pageInfo } = pageFrom(body, variant.property)
      for (const record of records) addTo(ids, labelOf(this.#service, target, record), idOf(target, record))
      if (pageNumber >= (pageInfo?.numberOfPages ?? 1)) break
    }
    return ids
  }
}

function addTo(ids: Map<string, unknown[]>, label: string, id: unknown): void {
  const known = ids.get(label)
  if (!known) ids.set(label, [id])
  else if (!known.includes(id)) known.push(id)
}
