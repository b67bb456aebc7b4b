declare module 'linebreak' {
  /** Where a line may end, or must (UAX #14); the end of the text is the last. */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
