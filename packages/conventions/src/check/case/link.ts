/** Checks for links: `/a/{x}/b/{y}`, created with PUT and removed with DELETE, where `/b/{y}` is also at the root. */
import { isObject } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import type { Code } from '../catalog.ts'
import { expect, expectStatus, Skip, statusOf } from '../finding.ts'
import type { CreatedRecords } from '../request/created-records.ts'
import type { CheckResponse } from '../request/exchange.ts'
import type { Survey } from '../survey.ts'
import { filteredPage } from './filter.ts'

/** The maximum number of records to try: the service may reject some because of its rules. */
const maxCandidates = 8

export class LinkChecks {
  readonly survey: Survey
  readonly #createdRecords: CreatedRecords
  #linked: { readonly path: string; readonly identity: string } | undefined

  constructor(survey: Survey, createdRecords: CreatedRecords) {
    this.survey = survey
    this.#createdRecords = createdRecords
  }

  readonly steps: readonly { readonly code: Code; readonly run: () => Promise<void> }[] = [
    { code: 'link', run: () => this.#checkLink() },
    { code: 'unlink', run: () => this.#checkUnlink() },
  ]

  async #checkLink(): Promise<void> {
    const { link, unlink } = this.survey.collection
    if (!link || !unlink) throw new Skip('the document does not have both PUT and DELETE')
    const listPath = await this.survey.listPath()
    let reason = 'all records are already linked'
    for (const identity of await this.#candidates()) {
      const path = `${listPath}/${encodeURIComponent(identity)}`
      this.#createdRecords.track({ path, operation: unlink })
      const response = await this.survey.sender.send({ method: 'PUT', path, operation: link })
      if (response.status >= 400 && response.status < 500) {
        this.#createdRecords.untrack(path)
        reason = `${path} returned ${statusOf(response)}`
        continue
      }
      this.#linked = { path, identity }
      expectStatus(response, 200)
      await this.#expectListed(identity, true, response)
      expectStatus(await this.survey.sender.send({ method: 'PUT', path, operation: link }), 200)
      return
    }
    throw new Skip(`no record could be linked: ${reason}`)
  }

  async #checkUnlink(): Promise<void> {
    if (!this.#linked) throw new Skip('no record could be linked')
    const { path, identity } = this.#linked
    const response = await this.survey.sender.send({ method: 'DELETE', path, operation: this.survey.collection.unlink })
    expectStatus(response, 200)
    this.#createdRecords.untrack(path)
    await this.#expectListed(identity, false, response)
    const secondResponse = await this.survey.sender.send({ method: 'DELETE', path })
    expectStatus(secondResponse, 200, 404)
    this.#createdRecords.deletedTwice.push(secondResponse)
  }

  /** Records at the root that are not in the nested list. */
  async #candidates(): Promise<string[]> {
    const { path, noun } = this.survey.collection
    const [prefix = ''] = /^\/v\d+(?=\/)/.exec(path) ?? []
    const root = this.survey.context.surveyAt(`${prefix}/${noun}`)
    if (!root) throw new Skip(`the document has no list of all ${noun} records`)
    const nestedPage = await filteredPage(this.survey, [])
    if (!nestedPage.isWhole) throw new Skip('the nested list is too long to find a record that is not in it')
    const { records } = await root.visitedRecords()
    const parent = await this.#parent()
    const unlinked = records.filter((record) => !nestedPage.identities.includes(root.identityOf(record)))
    const candidates = this.survey.random
      .sample(unlinked, unlinked.length)
      .sort((a, b) => similarity(b, parent) - similarity(a, parent))
    return candidates.slice(0, maxCandidates).map((record) => root.identityOf(record))
  }

  /** The parent record, whose nested list the check changes. */
  async #parent(): Promise<JsonObject> {
    const [identity = ''] = await this.survey.parentIdentities()
    const path = this.survey.collection.path.replace(/\/\{[^}]*\}\/[^/]*$/, '')
    const response = await this.survey.context.surveyAt(path)?.readOne(identity)
    return isObject(response?.json) ? response.json : {}
  }

  async #expectListed(identity: string, isListed: boolean, response: CheckResponse): Promise<void> {
    const { identities } = await filteredPage(this.survey, [])
    expect(identities.includes(identity) === isListed, () => ({
      expected: `record ${identity} ${isListed ? 'in' : 'not in'} the nested list afterwards`,
      actual: isListed ? 'it is missing' : 'it is still there',
      response,
    }))
  }
}

/** The number of common references of two records: records with the same parent can probably be linked. */
function similarity(first: JsonObject, second: JsonObject): number {
  return Object.keys(first).filter((name) => typeof first[name] === 'number' && first[name] === second[name]).length
}
