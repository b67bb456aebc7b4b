import { globSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { isImportDeclaration, isNamespaceImport } from 'typescript/unstable/ast/is';
import { API, type Checker, type Program, SignatureKind, type Symbol, type Type } from 'typescript/unstable/sync';

/** What a file of routes or a command takes from a feature, and what is wrong with its shape. */
export interface UseCase {
  name: string;
  /** From the server's sources. */
  file: string;
  faults: string[];
}

const caller = { routes: '**/*.routes.ts', commands: 'commands/*.ts' } as const;

/**
 * The server's use cases, found where they are bound: every function that a file of routes imports from a feature or from the
 * entities, and every one that a command imports and hands a context. `config` is the TypeScript project that `sources` are in.
 */
export function findUseCases(config: string, sources: string): UseCase[] {
  const api = new API({});
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`TypeScript did not open ${config}`);
    const { program, checker } = project;
    const judge = new Judge(program, checker, sources);
    const found = new Map<string, UseCase>();
    for (const [kind, pattern] of Object.entries(caller)) {
      for (const path of globSync(pattern, { cwd: sources })) {
        if (path.endsWith('.test.ts')) continue;
        for (const symbol of importedValues(program, checker, join(sources, path))) {
          const useCase = judge.useCaseOf(symbol, kind === 'commands');
          if (useCase) found.set(`${useCase.file} ${useCase.name}`, useCase);
        }
      }
    }
    return [...found.values()].toSorted((one, other) => one.file.localeCompare(other.file));
  } finally {
    api.close();
  }
}

/** What a file imports to use, by the declarations behind the names. */
function importedValues(program: Program, checker: Checker, path: string): Symbol[] {
  const file = program.getSourceFile(path);
  if (!file) throw new Error(`${path} is in no project`);
  const symbols: Symbol[] = [];
  for (const statement of file.statements) {
    const bindings = isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    if (!bindings) continue;
    const isNamespace = isNamespaceImport(bindings);
    for (const { name } of isNamespace ? [bindings] : bindings.elements) {
      const symbol = checker.getSymbolAtLocation(name);
      const target = symbol && checker.getAliasedSymbol(symbol);
      if (target) symbols.push(...(isNamespace ? checker.getExportsOfModule(target) : [target]));
    }
  }
  return symbols;
}

class Judge {
  readonly #checker: Checker;
  readonly #program: Program;
  readonly #sources: string;

  constructor(program: Program, checker: Checker, sources: string) {
    this.#program = program;
    this.#checker = checker;
    this.#sources = sources;
  }

  /** Null for what is none: types, what stands outside of features, and, for a command, what is handed no context. */
  useCaseOf(symbol: Symbol, fromCommand: boolean): UseCase | null {
    const file = this.#fileOf(symbol);
    if (!/^(features|entities)\//.test(file)) return null;
    const type = this.#checker.getTypeOfSymbol(symbol);
    const [signature] = type ? this.#checker.getSignaturesOfType(type, SignatureKind.Call) : [];
    if (!signature) return null;
    const given = signature.parameters.map((_, index) => this.#checker.getParameterType(signature, index));
    const [context, actor] = given.map((one) => (one ? this.#checker.typeToString(one) : ''));
    // A command has a part of it only, where the rest is not needed.
    if (fromCommand && !(given[0] && this.#checker.isTypeAssignableTo(this.#declared('context.ts', 'Ctx'), given[0]))) return null;
    const faults: string[] = [];
    if (context !== 'Ctx' && context !== 'Tx' && !fromCommand) faults.push(`its first parameter is ${context ?? 'missing'}, not Ctx`);
    const actorType = given[1];
    if (!actorType || !this.#isActor(actorType)) faults.push(`its second parameter is ${actor ?? 'missing'}, not who acts`);
    // The machine of entities takes the entity before its input.
    if (file.startsWith('features/')) {
      if (given.length > 3) faults.push(`it has ${given.length} parameters: context, who acts, input`);
      faults.push(...this.#placeFaults(symbol, file));
    }
    return { name: symbol.name, file, faults };
  }

  #fileOf(symbol: Symbol): string {
    const path = symbol.declarations?.[0]?.path ?? '';
    return relative(this.#sources, path).split(sep).join('/');
  }

  /** A person, a link, a visitor, the installation, or some of them: nothing that is none of these. */
  #isActor(type: Type): boolean {
    return type !== this.#checker.getAnyType() && this.#checker.isTypeAssignableTo(type, this.#declared('access/actor.ts', 'Actor'));
  }

  #declared(path: string, name: string): Type {
    const file = this.#program.getSourceFile(join(this.#sources, path));
    const module = file && this.#checker.getSymbolAtLocation(file);
    const symbol = module && this.#checker.getExportsOfModule(module).find((one) => one.name === name);
    if (!symbol) throw new Error(`${path} exports no ${name}`);
    return this.#checker.getDeclaredTypeOfSymbol(symbol);
  }

  /** One a file, which is called like it. */
  #placeFaults(symbol: Symbol, file: string): string[] {
    const named = symbol.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return basename(file, '.ts') === named ? [] : [`its file is not called ${named}.ts`];
  }
}
