/** Several records at once, in German. */
import type { Messages } from '../../english/english.ts'
import type { Format } from '../../format.ts'
import { capitalized } from '../noun.ts'

export function bulkMessages({ number, plural }: Format): Messages['bulk'] {
  const records = (count: number) => `${number(count)} ${plural(count, { one: 'Datensatz', other: 'Datensätze' })}`
  const atRecords = (count: number) => `${number(count)} ${plural(count, { one: 'Datensatz', other: 'Datensätzen' })}`
  return {
    back: 'Zurück',
    changeMatches: (count) => `Alle ${number(count)} Datensätze ändern`,
    changeMenu: 'Feld ändern …',
    changeSelected: (count) =>
      `${number(count)} ${plural(count, { one: 'ausgewählten Datensatz', other: 'ausgewählte Datensätze' })} ändern`,
    continue: 'Weiter',
    field: 'Feld',
    matches: (selected, count, _noun) =>
      `${records(selected)} auf dieser Seite ausgewählt. Die Liste hat ${records(count)}.`,
    otherField: 'Anderes Feld …',
    setField: 'Feld ändern',
    shownColumnsOnly: 'Nur angezeigte Spalten',
    clear: 'Aufheben',
    chooseAnotherFile: 'Andere Datei wählen',
    chooseFile: 'Datei wählen',
    column: 'Spalte',
    columnField: (column) => `Feld für ${column}`,
    columnValues: 'Erste Werte',
    csvCells: (cells, columns) => `Die Zeile hat ${number(cells)} Zellen, die Kopfzeile aber ${number(columns)}.`,
    csvFault: (_fault) => 'In der Zeile fehlt ein Anführungszeichen, oder eines ist an der falschen Stelle.',
    deleteDone: (count, _noun) => `${records(count)} gelöscht.`,
    deleteQuestion: (count, _noun) => `${records(count)} löschen?`,
    downloadRejected: 'Abgelehnte Zeilen herunterladen',
    downloadRejectedNote:
      'Die Datei nennt Nummer und Grund jeder Zeile. Korrigieren Sie die Zeilen und importieren Sie die Datei dann erneut.',
    dropHere: 'Datei hier ablegen',
    exportAs: {
      csv: 'Als CSV exportieren',
      spreadsheet: 'Für Tabellenprogramme exportieren',
      ndjson: 'Als NDJSON exportieren',
    },
    exportButton: 'Exportieren',
    exported: 'Export abgeschlossen.',
    exporting: (title) => `${title} wird exportiert`,
    exportList: 'Diese Liste mit ihren Filtern',
    exportProgress: 'Exportiert',
    file: 'Zu importierende Datei',
    fileRows: (name, rows) => `${name}: ${number(rows)} ${plural(rows, { one: 'Zeile', other: 'Zeilen' })}`,
    importCount: (count) => `${number(count)} ${plural(count, { one: 'Zeile', other: 'Zeilen' })} importieren`,
    importSteps: ['Datei', 'Spalten', 'Prüfen und importieren'],
    import: 'Importieren',
    imported: (created, rejected) =>
      `${number(created)} angelegt${rejected > 0 ? `, ${number(rejected)} abgelehnt` : ''}.`,
    importNote:
      'CSV (erste Zeile: Namen oder Titel der Felder), NDJSON oder JSON. Jede Zeile wird ein neuer Datensatz. Verweise sind IDs oder Namen. Sie können alle Zeilen prüfen, bevor etwas importiert wird.',
    importProgress: 'Importiert',
    importResumable:
      'Diese Datei wurde teilweise importiert. Bereits angelegte Zeilen werden nicht noch einmal angelegt.',
    importTitle: (noun) => `${capitalized(noun)} importieren`,
    jsonCutOff: 'Das Array oder Objekt ist nicht geschlossen. Die Datei ist vielleicht unvollständig.',
    jsonInvalid: (reason) => `Kein gültiges JSON: ${reason}.`,
    jsonNoObject: 'Kein JSON-Objekt.',
    jsonStray: 'Nach dem letzten Datensatz folgt weiterer Text.',
    labelNotFound: (field, value, noun) =>
      `${field}: ${capitalized(noun)} „${value}“ wurde nicht gefunden, aber die Liste zeigt nicht alle Einträge. Verwenden Sie die ID.`,
    labelUnknown: (field, value, count, noun) =>
      count === 0
        ? `${field}: ${capitalized(noun)} „${value}“ gibt es nicht.`
        : `${field}: ${capitalized(noun)} „${value}“ gibt es ${number(count)}-mal. Verwenden Sie die ID.`,
    line: 'Zeile',
    more: (count) => ` und ${number(count)} weitere`,
    missingFields: (fields) => `Erforderlich, aber nicht in der Datei: ${fields.join(', ')}.`,
    notImported: 'Nicht importiert',
    number: 'Datensatz',
    oneFile: (count) => `Sie haben ${number(count)} Dateien gewählt. Importieren Sie eine nach der anderen.`,
    orDrop: 'oder hier ablegen',
    outcomeUnknown: (reason) =>
      `${reason} Der Datensatz wurde vielleicht angelegt: Prüfen Sie das, bevor Sie ihn erneut senden.`,
    progress: (done, all) => `${number(done)} von ${number(all)}`,
    progressDone: 'Fortschritt',
    progressRejected: (count) => `, ${number(count)} abgelehnt`,
    progressStopped: '. Angehalten.',
    progressWaiting: '. Der Dienst ist ausgelastet, bitte warten …',
    readyRows: (ready, refused) => `${number(ready)} bereit${refused > 0 ? `, ${number(refused)} mit Fehlern` : ''}.`,
    reason: 'Grund',
    rejected: (done, rejected, _noun) => `${records(done)} geändert, ${number(rejected)} abgelehnt.`,
    rejectedRecords: 'Abgelehnte Datensätze',
    rejectedRows: 'Abgelehnte Zeilen',
    repeatedValue: (field, line) => `${field}: gleicher Wert wie in Zeile ${number(line)}.`,
    resume: 'Fortsetzen',
    selected: (count) => `${number(count)} ausgewählt`,
    selectedRecords: 'Ausgewählte Datensätze',
    setDone: (count, _noun, field, value) => `${field} bei ${atRecords(count)} auf ${value} gesetzt.`,
    setQuestion: (count, _noun, field, value) => `${field} bei ${atRecords(count)} auf ${value} setzen?`,
    template: 'Vorlage herunterladen',
    unlinkDone: (count, _noun) => `Verknüpfung von ${atRecords(count)} gelöst.`,
    unlinkQuestion: (count, _noun) => `Verknüpfung von ${atRecords(count)} lösen?`,
    wrongFile: (name) => `${name} kann nicht importiert werden. Wählen Sie eine CSV-, NDJSON- oder JSON-Datei.`,
  }
}
