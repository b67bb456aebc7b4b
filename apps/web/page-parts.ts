/** Modules that come in one file, by what they are for: each by itself would be a request, and on a slow network a wait. */
const together = {
  // What shows the page before anything is made of it.
  boot: ['apps/web/src/(?:boot|lib/(?:theme|token))', 'vite/preload-helper(?:.js)?'],
  // What every page stands on, and changes seldom.
  base: [String.raw`node_modules.(?:react|react-dom|scheduler|react-router|@tanstack)/.*`, 'rolldown/runtime.js'],
  // Beside what judges by a schema, and not in what merely names a call.
  zod: ['node_modules.zod/.*'],
  // Forms, their faults and their waiting: what the sign-in page is made of.
  screen: [
    'ui/(?:states|field|dialog)',
    'shell/error-text',
    'lib/provider-window',
    'features/accounts/social/sign-in-channel',
    'features/accounts/second-factor/(?:use-passkey|knows-passkeys)',
  ],
  // What tells of documents and people, on pages that anybody opens.
  parts: [
    'lib/format',
    'shell/(?:status-badge|files-removed|signs-for)',
    'pdf/viewer-place',
    'ui/(?:use-in-view|pagination)',
    'domain/src/(?:one-line|documents|email|cpf|cnpj)',
  ],
  names: ['domain/src/(?:names|drawable-letters|checked-lines)'],
  // Pages of documents and what stands on them.
  sheets: [
    'domain/src/(?:placement|signature-model)',
    'pdf/(?:page-layout|stamp-preview|byte-parts|remote-bytes)',
    'features/signing/(?:act-foot|digital/browser-secret)',
    'pades/src/crypto',
    'wire:(?:viewDocument|downloadOriginal|followSigning)',
  ],
  // What people who are signed in begin with.
  home: [
    'entity-screens',
    'lib/(?:private-data|use-settled|upload-file)',
    'ui/(?:masks|menu|date-time-field)',
    'features/processes/creation/(?:draft-store|draft-windows|process-draft|draft-boxes|chosen-files|file-dropzone|use-upload-limit)',
    'wire:(?:uploadDocuments|createSignatureProcess|createSigner|startSignatureProcess|getCounterInfos|getProcessesInfos)',
  ],
};

/** As the bundler wants them. */
export const pageParts = Object.entries(together).map(([name, modules]) => ({
  name,
  test: new RegExp(String.raw`(?:[\\/]|\0)(?:${modules.join('|').replaceAll('/', String.raw`[\\/]`)})(?:\.tsx?)?$`),
  // Merely these: what they stand on comes where it belongs.
  includeDependenciesRecursively: name === 'base' || name === 'zod',
}));
