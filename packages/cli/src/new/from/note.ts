/** What did not fit when a contract or a database was read, and why. */

export interface Note {
  /** Where it stands in what was read: `GET /pet/findByStatus`, `pet.tag_list`. */
  readonly place: string
  readonly text: string
}

/** The file of a project in which all notes stand. */
export const notesFile = 'NOTES.md'

export function notesText(source: string, notes: readonly Note[]): string {
  const lines = notes.map(({ place, text }) => `| ${cell(`\`${place}\``)} | ${cell(text)} |\n`)
  return `# What did not fit

The declarations were read from ${source}. This is what they could not take over as it was, and why. Delete the file when you
have looked through it.

| where | what became of it |
|---|---|
${lines.join('')}`
}

/** How many notes are told on the screen. */
const shown = 10

export function notesReport(notes: readonly Note[]): string {
  if (notes.length === 0) return 'All of it fits.'
  const lines = notes.slice(0, shown).map(({ place, text }) => `  ${place}: ${text}`)
  const more = notes.length > shown ? [`  … and ${notes.length - shown} more.`] : []
  return [
    `${notes.length} ${notes.length === 1 ? 'thing' : 'things'} did not fit as it stands (${notesFile}):`,
    ...lines,
    ...more,
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
}
