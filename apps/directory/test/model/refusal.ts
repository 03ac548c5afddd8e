/** Problems that the model expects. */

const statuses = {
  'malformed-json': 400,
  'invalid-body': 400,
  'body-not-allowed': 400,
  'unknown-parameter': 400,
  'invalid-parameter': 400,
  'invalid-header': 400,
  'path-not-found': 404,
  'record-not-found': 404,
  'method-not-allowed': 405,
  'identity-mismatch': 409,
  'value-taken': 409,
  'still-referenced': 409,
  'precondition-failed': 412,
  'unsupported-media-type': 415,
  'reference-not-found': 422,
  'rule-broken': 422,
  'idempotency-key-reused': 422,
}

export type Code = keyof typeof statuses

export function statusOf(code: Code): number {
  return statuses[code]
}

/** The faults of a request in one stage. If there are several, the service may report any of them. */
export class Refusal extends Error {
  readonly codes: readonly Code[]
  /** The invalid parameters and properties. The service must not report others. */
  readonly names: readonly string[]

  constructor(codes: Iterable<Code>, names: Iterable<string> = []) {
    super()
    this.codes = [...new Set(codes)]
    this.names = [...new Set(names)]
  }
}

/** Collects the faults of one stage. */
export class Faults {
  readonly #codes: Code[] = []
  readonly #names: string[] = []

  add(code: Code, name?: string): void {
    this.#codes.push(code)
    if (name !== undefined) this.#names.push(name)
  }

  refuse(): void {
    if (this.#codes.length > 0) throw new Refusal(this.#codes, this.#names)
  }
}
