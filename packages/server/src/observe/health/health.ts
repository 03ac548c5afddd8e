/** Whether a service can serve: every part is asked, and the worst answer counts. */

export type HealthStatus = 'ok' | 'degraded' | 'unavailable'

export interface PartHealth {
  readonly status: HealthStatus
  /** What is wrong, for whoever may see it: no address, no path, no password. */
  readonly detail?: string
}

export interface HealthReport {
  readonly status: HealthStatus
  readonly parts: { readonly [part: string]: PartHealth }
}

interface Part {
  readonly name: string
  readonly worst: HealthStatus
  readonly look: () => PartHealth | Promise<PartHealth>
}

/** How long an answer holds, and how long a part may take to give one, in milliseconds. */
const holds = 1000
const timeoutMs = 1000

export class Health {
  readonly #parts: Part[] = []
  #latest: Promise<HealthReport> | undefined
  #askedAt = 0
  #isStopping = false

  /** Adds a part. Where it does not answer in time, or fails to, it is as bad as `worst`. */
  add(name: string, worst: HealthStatus, look: Part['look']): void {
    this.#parts.push({ name, worst, look })
  }

  /** From now on nobody is to send anything here. */
  stop(): void {
    this.#isStopping = true
  }

  async report(): Promise<HealthReport> {
    if (this.#isStopping)
      return { status: 'unavailable', parts: { service: { status: 'unavailable', detail: 'It stops.' } } }
    const now = performance.now()
    if (!this.#latest || now - this.#askedAt > holds) {
      this.#askedAt = now
      this.#latest = this.#look()
    }
    return this.#latest
  }

  async #look(): Promise<HealthReport> {
    const found = await Promise.all(this.#parts.map(async (part) => [part.name, await partHealth(part)] as const))
    const status = found.reduce<HealthStatus>((worst, [, one]) => worse(worst, one.status), 'ok')
    return { status, parts: Object.fromEntries(found) }
  }
}

async function partHealth({ worst, look }: Part): Promise<PartHealth> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<PartHealth>((resolve) => {
    const detail = `No answer within ${timeoutMs} ms.`
    timer = setTimeout(() => resolve({ status: worst, detail }), timeoutMs).unref()
  })
  try {
    return await Promise.race([look(), late])
  } catch {
    // What it says may hold an address.
    return { status: worst, detail: 'It does not answer.' }
  } finally {
    clearTimeout(timer)
  }
}

const order: readonly HealthStatus[] = ['ok', 'degraded', 'unavailable']

function worse(one: HealthStatus, other: HealthStatus): HealthStatus {
  return order.indexOf(one) > order.indexOf(other) ? one : other
}
