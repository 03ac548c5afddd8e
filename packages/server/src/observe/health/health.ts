/** The health of a service: the worst status of all its parts. */

export type HealthStatus = 'ok' | 'degraded' | 'unavailable'

export interface PartHealth {
  readonly status: HealthStatus
  /** The cause. It is public, so it must not contain addresses, paths or passwords. */
  readonly detail?: string
}

export interface HealthReport {
  readonly status: HealthStatus
  readonly parts: { readonly [part: string]: PartHealth }
}

interface Part {
  readonly name: string
  readonly failureStatus: HealthStatus
  readonly check: () => PartHealth | Promise<PartHealth>
}

/** How long a report is cached, and the timeout of a check. */
const cacheMs = 1000
const timeoutMs = 1000

export class Health {
  readonly #parts: Part[] = []
  #latest: Promise<HealthReport> | undefined
  #checkedAt = 0
  #isStopping = false

  /** Adds a part. If its check fails or times out, the part has the `failureStatus`. */
  add(name: string, failureStatus: HealthStatus, check: Part['check']): void {
    this.#parts.push({ name, failureStatus, check })
  }

  /** Adds a part that the service can work without. `faultOf` returns why it does not work; undefined if it does. */
  addPart(name: string, faultOf: () => string | undefined): void {
    this.add(name, 'degraded', () => {
      const detail = faultOf()
      return detail === undefined ? { status: 'ok' } : { status: 'degraded', detail }
    })
  }

  /** Reports the service as unavailable from now on, so that load balancers send no more requests. */
  stop(): void {
    this.#isStopping = true
  }

  async report(): Promise<HealthReport> {
    if (this.#isStopping)
      return {
        status: 'unavailable',
        parts: { service: { status: 'unavailable', detail: 'The service is shutting down.' } },
      }
    const now = performance.now()
    if (!this.#latest || now - this.#checkedAt > cacheMs) {
      this.#checkedAt = now
      this.#latest = this.#check()
    }
    return this.#latest
  }

  async #check(): Promise<HealthReport> {
    const parts = await Promise.all(this.#parts.map(async (part) => [part.name, await partHealth(part)] as const))
    const status = parts.reduce<HealthStatus>((worstStatus, [, part]) => worseStatus(worstStatus, part.status), 'ok')
    return { status, parts: Object.fromEntries(parts) }
  }
}

async function partHealth({ failureStatus, check }: Part): Promise<PartHealth> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<PartHealth>((resolve) => {
    const detail = `No response within ${timeoutMs} ms.`
    timer = setTimeout(() => resolve({ status: failureStatus, detail }), timeoutMs).unref()
  })
  try {
    return await Promise.race([check(), timeout])
  } catch {
    // The message of the error may contain an address.
    return { status: failureStatus, detail: 'The check failed.' }
  } finally {
    clearTimeout(timer)
  }
}

const statusesBySeverity: readonly HealthStatus[] = ['ok', 'degraded', 'unavailable']

function worseStatus(first: HealthStatus, second: HealthStatus): HealthStatus {
  return statusesBySeverity.indexOf(first) > statusesBySeverity.indexOf(second) ? first : second
}
