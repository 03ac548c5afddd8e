/** The entry point of @nomen/core/bulk: reads and writes CSV and JSON files of records. */
export { type Cell, CsvReader, csvLine } from './csv.ts'
export { type FileRecord, maxBytes, type TextBlock } from './file-record.ts'
export { JsonElements, JsonFileError, type JsonFileFault } from './json-elements.ts'
export { csvColumns, spreadsheetLine, spreadsheetMark } from './spreadsheet.ts'
