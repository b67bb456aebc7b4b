/** What is being done, with something that moves; announced when it changes. */
export function BusyLine({ text }: { text: string }) {
  return (
    <div className="busy" role="status">
      <span className="spinner" />
      <p className="last">{text}</p>
    </div>
  );
}
