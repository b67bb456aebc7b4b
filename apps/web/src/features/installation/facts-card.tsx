/** Names and values below a heading; `id` is the heading's. */
export function FactsCard({ id, title, facts }: { id: string; title: string; facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
