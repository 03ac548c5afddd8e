/** Several records at once: selection, import, export. */
import type { Format } from '../../format.ts'
import { inSentence, pluralOf, withArticle } from '../noun.ts'

export function bulkMessages({ number, plural }: Format) {
  const records = (count: number, noun: string) =>
    `${number(count)} ${plural(count, { one: noun, other: pluralOf(noun) })}`
  return {
    back: 'Back',
    changeMatches: (count: number) =>
      `Change all ${number(count)} ${plural(count, { one: 'record', other: 'records' })}`,
    changeMenu: 'Edit field …',
    changeSelected: (count: number) =>
      `Change ${number(count)} selected ${plural(count, { one: 'record', other: 'records' })}`,
    continue: 'Continue',
    clear: 'Clear',
    chooseAnotherFile: 'Choose another file',
    chooseFile: 'Choose a file',
    column: 'Column',
    columnField: (column: string) => `Field for ${column}`,
    columnValues: 'First values',
    csvCells: (cells: number, columns: number) =>
      `The row has ${number(cells)} cells, but the header has ${number(columns)}.`,
    csvFault: (fault: string) => `The row ${fault}.`,
    deleteDone: (count: number, noun: string) => `${records(count, noun)} deleted.`,
    deleteQuestion: (count: number, noun: string) => `Delete ${records(count, noun)}?`,
    downloadRejected: 'Download rejected rows',
    downloadRejectedNote: 'The file lists the line and the reason of each row. Fix the rows, then import it again.',
    dropHere: 'Drop the file here',
    exportAs: { csv: 'Export as CSV', spreadsheet: 'Export for spreadsheets', ndjson: 'Export as NDJSON' },
    exportButton: 'Export',
    exported: 'Export finished.',
    exporting: (title: string) => `Exporting ${title}`,
    exportList: 'This list, with its filters',
    exportProgress: 'Exported',
    field: 'Field',
    file: 'File to import',
    fileRows: (name: string, rows: number) => `${name}: ${number(rows)} ${plural(rows, { one: 'row', other: 'rows' })}`,
    import: 'Import',
    importCount: (count: number) => `Import ${number(count)} ${plural(count, { one: 'row', other: 'rows' })}`,
    importSteps: ['File', 'Columns', 'Check and import'],
    imported: (created: number, rejected: number) =>
      `${number(created)} created${rejected > 0 ? `, ${number(rejected)} rejected` : ''}.`,
    importNote:
      'CSV (first line: names or titles of fields), NDJSON or JSON. Each row becomes a new record. References are IDs or labels. You can check all rows before anything is imported.',
    importProgress: 'Imported',
    importResumable: 'This file was partly imported. Rows that were created are not created again.',
    importTitle: (noun: string) => `Import ${pluralOf(noun)}`,
    jsonCutOff: 'The array or object is not closed. The file may be truncated.',
    jsonInvalid: (reason: string) => `Not valid JSON: ${reason}.`,
    jsonNoObject: 'Not a JSON object.',
    jsonStray: 'There is more text after the last record.',
    /** A label in a file that no record has, or several. */
    labelNotFound: (field: string, value: string, noun: string) =>
      `${field}: could not find ${withArticle(noun)} called “${value}”, but the list does not show all of them. Use the ID.`,
    labelUnknown: (field: string, value: string, count: number, noun: string) =>
      count === 0
        ? `${field}: no ${noun} is called “${value}”.`
        : `${field}: ${records(count, noun)} are called “${value}”. Use the ID.`,
    line: 'Line',
    more: (count: number) => ` and ${number(count)} more`,
    /** The choice between the selected records of a page and all records of the list. */
    matches: (selected: number, count: number, noun: string) =>
      `${records(selected, noun)} on this page ${plural(selected, { one: 'is', other: 'are' })} selected. The list has ${records(count, noun)}.`,
    missingFields: (fields: readonly string[]) => `Required, but not in the file: ${fields.join(', ')}.`,
    notImported: 'Not imported',
    number: 'Record',
    oneFile: (count: number) => `You chose ${number(count)} files. Import one at a time.`,
    otherField: 'Other field …',
    orDrop: 'or drop it here',
    outcomeUnknown: (reason: string) => `${reason} The record may have been created: check before you send it again.`,
    progress: (done: number, all: number) => `${number(done)} of ${number(all)}`,
    progressDone: 'Progress',
    progressRejected: (count: number) => `, ${number(count)} rejected`,
    progressStopped: '. Stopped.',
    progressWaiting: '. The service is busy, waiting …',
    readyRows: (ready: number, refused: number) =>
      `${number(ready)} ready${refused > 0 ? `, ${number(refused)} with errors` : ''}.`,
    reason: 'Reason',
    rejected: (done: number, rejected: number, noun: string) =>
      `${records(done, noun)} changed, ${number(rejected)} rejected.`,
    rejectedRecords: 'Rejected records',
    rejectedRows: 'Rejected rows',
    repeatedValue: (field: string, line: number) => `${field}: same value as in line ${number(line)}.`,
    resume: 'Resume',
    selected: (count: number) => `${number(count)} selected`,
    selectedRecords: 'Selected records',
    setDone: (count: number, noun: string, field: string, value: string) =>
      `${field} set to ${value} for ${records(count, noun)}.`,
    setField: 'Edit a field',
    shownColumnsOnly: 'Shown columns only',
    setQuestion: (count: number, noun: string, field: string, value: string) =>
      `Set ${inSentence(field)} to ${value} for ${records(count, noun)}?`,
    template: 'Download template',
    unlinkDone: (count: number, noun: string) => `${records(count, noun)} unlinked.`,
    unlinkQuestion: (count: number, noun: string) => `Unlink ${records(count, noun)}?`,
    wrongFile: (name: string) => `${name} cannot be imported. Choose a CSV, NDJSON or JSON file.`,
  }
}
