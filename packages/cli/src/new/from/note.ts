/** The differences between a document or database and the declarations created from it, with reasons. */
import { isMockable, type NounDraft } from '../project.ts'

export interface Note {
  /** The part of the source: `GET /pet/findByStatus`, `pet.tag_list`. */
  readonly source: string
  readonly text: string
}

/** Notes that the project has no mocks, if some IDs are not numbers. */
export function noteMocks(nouns: readonly NounDraft[], note: (note: Note) => void): void {
  if (!isMockable(nouns))
    note({ source: 'mocks', text: 'Left out: mocks support only numeric IDs, and some IDs are UUIDs.' })
}

/** One note for each part of the source. */
export function mergedNotes(notes: readonly Note[]): readonly Note[] {
  const bySource = Map.groupBy(notes, ({ source }) => source)
  return [...bySource].map(([source, notesOfSource]) => ({
    source,
    text: notesOfSource.map(({ text }) => text).join(' '),
  }))
}

/** The file with all notes. */
export const notesFile = 'NOTES.md'

export function notesText(source: string, notes: readonly Note[]): string {
  const lines = notes.map(({ source: location, text }) => `| ${cell(`\`${location}\``)} | ${cell(text)} |\n`)
  return `# Differences from the source

The declarations were created from ${source}. This table lists everything that differs, and everything that changes for
callers. Delete this file when you have read it.

| source | this project |
|---|---|
${lines.join('')}`
}

/** How many notes are printed. */
const maxPrinted = 10

export function notesReport(notes: readonly Note[]): string {
  if (notes.length === 0) return 'No differences from the source.'
  const lines = notes.slice(0, maxPrinted).map(({ source, text }) => `  ${source}: ${text}`)
  const moreLine = notes.length > maxPrinted ? [`  … and ${notes.length - maxPrinted} more.`] : []
  return [
    `${notes.length === 1 ? '1 difference' : `${notes.length} differences`} from the source, see ${notesFile}:`,
    ...lines,
    ...moreLine,
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
}
