/** Checks of links: `/a/{x}/b/{y}`, made by PUT and removed by DELETE, where `/b/{y}` itself stands at the root. */
import { isObject } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import type { Code } from '../catalogue.ts'
import { expect, expectStatus, Skip, statusOf } from '../finding.ts'
import type { Answer } from '../request/exchange.ts'
import type { WriteTrail } from '../request/write-trail.ts'
import type { Survey } from '../survey.ts'
import { shown } from './filter.ts'

/** How many records are tried: some may be refused for reasons of their own. */
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
    if (!link || !unlink) throw new Skip('PUT and DELETE are not both offered')
    const place = await this.survey.place()
    let refusal = 'all records are linked'
    for (const identity of await this.#candidates()) {
      const path = `${place}/${encodeURIComponent(identity)}`
      this.#trail.owe({ path, operation: unlink })
      const answer = await this.survey.sender.send({ method: 'PUT', path, operation: link })
      if (answer.status >= 400 && answer.status < 500) {
        this.#trail.settle(path)
        refusal = `${path} gives ${statusOf(answer)}`
        continue
      }
      this.#linked = { path, identity }
      expectStatus(answer, 200)
      await this.#expectListed(identity, true, answer)
      expectStatus(await this.survey.sender.send({ method: 'PUT', path, operation: link }), 200)
      return
    }
    throw new Skip(`no record could be linked: ${refusal}`)
  }

  async #unlink(): Promise<void> {
    if (!this.#linked) throw new Skip('no record could be linked')
    const { path, identity } = this.#linked
    const answer = await this.survey.sender.send({ method: 'DELETE', path, operation: this.survey.collection.unlink })
    expectStatus(answer, 200)
    this.#trail.settle(path)
    await this.#expectListed(identity, false, answer)
    const again = await this.survey.sender.send({ method: 'DELETE', path })
    expectStatus(again, 200, 404)
    this.#trail.deletedTwice.push(again)
  }

  /** Records at the root that are not in the list below. */
  async #candidates(): Promise<string[]> {
    const { path, noun } = this.survey.collection
    const [prefix = ''] = /^\/v\d+(?=\/)/.exec(path) ?? []
    const root = this.survey.world.surveyAt(`${prefix}/${noun}`)
    if (!root) throw new Skip(`the document offers no list of all ${noun} records`)
    const below = await shown(this.survey, [])
    if (!below.isWhole) throw new Skip('the list below is too long to know what is not in it')
    const { records } = await root.known()
    const parent = await this.#parent()
    const free = records.filter((record) => !below.identities.includes(root.identityOf(record)))
    const some = this.survey.random.some(free, free.length).sort((a, b) => kinship(b, parent) - kinship(a, parent))
    return some.slice(0, tries).map((record) => root.identityOf(record))
  }

  /** The record that the links begin at. */
  async #parent(): Promise<JsonObject> {
    const [identity = ''] = await this.survey.parentIdentities()
    const path = this.survey.collection.path.replace(/\/\{[^}]*\}\/[^/]*$/, '')
    const answer = await this.survey.world.surveyAt(path)?.readOne(identity)
    return isObject(answer?.json) ? answer.json : {}
  }

  async #expectListed(identity: string, isListed: boolean, answer: Answer): Promise<void> {
    const { identities } = await shown(this.survey, [])
    expect(identities.includes(identity) === isListed, () => ({
      expected: `record ${identity} ${isListed ? 'in' : 'out of'} the list below from then on`,
      actual: isListed ? 'it is not there' : 'it is still there',
      answer,
    }))
  }
}

/** How many references two records share: what belongs to the same third record is likely to be linked. */
function kinship(record: JsonObject, other: JsonObject): number {
  return Object.keys(record).filter((name) => typeof record[name] === 'number' && record[name] === other[name]).length
}
