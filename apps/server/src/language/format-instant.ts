const format = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** DD/MM/YYYY HH:mm (with seconds on demand) in the legal time of Brasília. `Intl` puts a comma that nobody writes. */
export function formatInstant(instant: Date, withSeconds = false): string {
  const text = format.format(instant).replace(',', '');
  return withSeconds ? text : text.slice(0, -3);
}
