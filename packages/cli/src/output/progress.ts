/** Shows the progress of a long command on standard error: a bar on a terminal, otherwise a line every few seconds. */
import { styleText } from 'node:util'
import { duration, numberText } from './number-text.ts'

/** The state of a command. */
export interface ProgressState {
  /** Records, or other items, so far. */
  readonly count: number
  /** From 0 to 1, if the total is known. */
  readonly share?: number
  /** Other figures, such as the number of rejected records. */
  readonly notes?: readonly string[]
}

/** Time between updates, on a terminal and elsewhere. */
const [terminalIntervalMs, logIntervalMs] = [100, 5000]

/** Period over which the rate is measured. */
const rateWindowMs = 5000

export class Progress {
  readonly #label: string
  readonly #stream: NodeJS.WriteStream
  readonly #itemName: string
  readonly #startMs = performance.now()
  readonly #isTerminal: boolean
  #lastUpdate = performance.now()
  #isShown = false
  /** Measurements of the last seconds. */
  #measurements: { readonly at: number; readonly count: number; readonly share: number }[] = []

  /** `label` names the activity: `Loading user`. */
  constructor(label: string, stream: NodeJS.WriteStream = process.stderr, itemName = 'record') {
    this.#label = label
    this.#stream = stream
    this.#itemName = itemName
    this.#isTerminal = stream.isTTY === true && process.env.TERM !== 'dumb'
    this.#measurements.push({ at: this.#startMs, count: 0, share: 0 })
  }

  get seconds(): number {
    return (performance.now() - this.#startMs) / 1000
  }

  /** Takes the current state, and shows it if enough time has passed. */
  update(state: ProgressState): void {
    const now = performance.now()
    if (now - this.#lastUpdate < (this.#isTerminal ? terminalIntervalMs : logIntervalMs)) return
    this.#lastUpdate = now
    this.#measurements.push({ at: now, count: state.count, share: state.share ?? 0 })
    while (this.#measurements.length > 2 && now - (this.#measurements[1]?.at ?? now) > rateWindowMs)
      this.#measurements.shift()
    const line = this.#line(state, now)
    if (this.#isTerminal) this.#show(line)
    else this.#stream.write(`${line}\n`)
  }

  /** Prints a permanent line above the bar. */
  printLine(text: string): void {
    this.clear()
    this.#stream.write(`${text}\n`)
  }

  /** Waits for a task that is shown, and removes the bar at its end. */
  async during<Result>(task: Promise<Result>): Promise<Result> {
    try {
      return await task
    } finally {
      this.clear()
    }
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[2K')
    this.#isShown = false
  }

  #show(line: string): void {
    this.#stream.write(`\r${line}\u001b[K`)
    this.#isShown = true
  }

  #line({ count, share, notes = [] }: ProgressState, now: number): string {
    const [first, last] = [this.#measurements[0], this.#measurements.at(-1)]
    const seconds = Math.max(now - (first?.at ?? now), 1) / 1000
    const rate = Math.round((count - (first?.count ?? 0)) / seconds)
    const sharePerSecond = ((last?.share ?? 0) - (first?.share ?? 0)) / seconds
    const timeLeft =
      share !== undefined && sharePerSecond > 0
        ? [`${duration(Math.max(0, Math.ceil((1 - share) / sharePerSecond)))} left`]
        : []
    const details = [`${numberText(count)} ${this.#itemName}s`, `${numberText(rate)}/s`, ...timeLeft, ...notes]
    if (share === undefined) return this.#fitLine(`${this.#label}  `, details)
    const percent = `${Math.floor(share * 100)}%`.padStart(4)
    return this.#fitLine(`${this.#label} ${this.#bar(share)}${percent}  `, details)
  }

  /** As many parts as fit the terminal: a line that wraps could not be erased. */
  #fitLine(start: string, details: readonly string[]): string {
    let line = start
    for (const [index, detail] of details.entries()) {
      const next = index === 0 ? line + detail : `${line}  ${detail}`
      if (visibleLength(next) > this.#lineWidth) break
      line = next
    }
    return visibleLength(line) > this.#lineWidth ? '' : line.trimEnd()
  }

  get #lineWidth(): number {
    return this.#isTerminal ? (this.#stream.columns ?? 80) - 1 : Number.POSITIVE_INFINITY
  }

  /** Empty without a terminal, or if the terminal is too narrow. */
  #bar(share: number): string {
    const width = 24
    if (!this.#isTerminal || this.#lineWidth < this.#label.length + width + 30) return ''
    const eighths = Math.round(Math.min(1, share) * width * 8)
    const full = Math.floor(eighths / 8)
    const partialBlock = eighths % 8 === 0 ? '' : (' ▏▎▍▌▋▊▉'[eighths % 8] ?? '')
    const filled = '█'.repeat(full) + partialBlock
    const style = (format: 'cyan' | 'dim', text: string) => styleText(format, text, { stream: this.#stream })
    return `${style('cyan', filled)}${style('dim', '░'.repeat(width - full - partialBlock.length))} `
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that color text begin with one
const colors = /\u001b\[[0-9;]*m/g

function visibleLength(text: string): number {
  return text.replace(colors, '').length
}
