/** Checks for links: `/a/{x}/b/{y}`, created with PUT and removed with DELETE, where `/b/{y}` is also at the root. */
import { isObject } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import type { Code } from '../catalogue.ts'
import { expect, expectStatus, Skip, statusOf } from '../finding.ts'
import type { CheckResponse } from '../request/exchange.ts'
import type { WriteTrail } from '../request/write-trail.ts'
import type { Survey } from '../survey.ts'
import { filteredPage } from './filter.ts'

/** How many records are tried: the service may reject some because of its rules. */
const tries = 8

export class LinkStory {
  readonly survey: Survey
  readonly #trail: WriteTrail
  #linked: { readonly path: string; readonly identity: string } | undefined

  constructor(survey: Survey, trail: WriteTrail) {
    this.survey = survey
    this.#trail = trail
  }

  readonly steps: readonly { readonly code: Code; readonly run: () => Promise<void> }[] = [
    { code: 'link', run: () => this.#link() },
    { code: 'unlink', run: () => this.#unlink() },
  ]

  async #link(): Promise<void> {
    const { link, unlink } = this.survey.collection
    if (!link || !unlink) throw new Skip('the document does not have both PUT and DELETE')
    const listPath = await this.survey.listPath()
    let refusal = 'all records are already linked'
    for (const identity of await this.#candidates()) {
      const path = `${listPath}/${encodeURIComponent(identity)}`
      this.#trail.track({ path, operation: unlink })
      const response = await this.survey.sender.send({ method: 'PUT', path, operation: link })
      if (response.status >= 400 && response.status < 500) {
        this.#trail.untrack(path)
        refusal = `${path} returned ${statusOf(response)}`
        continue
      }
      this.#linked = { path, identity }
      expectStatus(response, 200)
      await this.#expectListed(identity, true, response)
      expectStatus(await this.survey.sender.send({ method: 'PUT', path, operation: link }), 200)
      return
    }
    throw new Skip(`no record could be linked: ${refusal}`)
  }

  async #unlink(): Promise<void> {
    if (!this.#linked) throw new Skip('no record could be linked')
    const { path, identity } = this.#linked
    const response = await this.survey.sender.send({ method: 'DELETE', path, operation: this.survey.collection.unlink })
    expectStatus(response, 200)
    this.#trail.untrack(path)
    await this.#expectListed(identity, false, response)
    const again = await this.survey.sender.send({ method: 'DELETE', path })
    expectStatus(again, 200, 404)
    this.#trail.deletedTwice.push(again)
  }

  /** Records at the root that are not in the nested list. */
  async #candidates(): Promise<string[]> {
    const { path, noun } = this.survey.collection
    const [prefix = ''] = /^\/v\d+(?=\/)/.exec(path) ?? []
    const root = this.survey.world.surveyAt(`${prefix}/${noun}`)
    if (!root) throw new Skip(`the document has no list of all ${noun} records`)
    const below = await filteredPage(this.survey, [])
    if (!below.isWhole) throw new Skip('the nested list is too long to find a record that is not in it')
    const { records } = await root.known()
    const parent = await this.#parent()
    const free = records.filter((record) => !below.identities.includes(root.identityOf(record)))
    const some = this.survey.random
      .sample(free, free.length)
      .sort((a, b) => similarity(b, parent) - similarity(a, parent))
    return some.slice(0, tries).map((record) => root.identityOf(record))
  }

  /** The record at the start of the links. */
  async #parent(): Promise<JsonObject> {
    const [identity = ''] = await this.survey.parentIdentities()
    const path = this.survey.collection.path.replace(/\/\{[^}]*\}\/[^/]*$/, '')
    const response = await this.survey.world.surveyAt(path)?.readOne(identity)
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
