/**
 * `npm run mutate`: mutates the rules, one operator, comparison or constant at a time, and checks whether a unit test
 * fails. docs/fault-tests.md lists the mutations that no test detects, with the reason.
 */
export default {
  mutate: [
    'apps/ci/src/pipeline/{settle,job-transitions,pipeline-state,pipeline-rules}.ts',
    'apps/ci/src/pipeline-file/{assemble-file,check-needs,choose-jobs,component,expand,extend-job,include,inherit,inputs}.ts',
    'apps/ci/src/pipeline-file/{job-keywords,needs-keyword,parallel,parse-pipeline-file,trigger-keyword,without-nulls}.ts',
    'apps/ci/src/schedule/schedule-rules.ts',
    'libs/access/src/check-access.ts',
    'apps/gateway/src/credentials/{scopes,present-credential}.ts',
    'apps/identity/src/application/application-rules.ts',
    'apps/identity/src/oauth/endpoints/authorization-request.ts',
    'apps/identity/src/user/user-rules.ts',
    'apps/projects/src/access/grants.ts',
    'apps/projects/src/instance/feature/feature-rules.ts',
    'apps/projects/src/group/group-rules.ts',
    'apps/projects/src/member/level-rules.ts',
    'apps/projects/src/namespace/{path-rules,visibility-rules}.ts',
    'apps/repository/src/protection/{protections,push-rules}.ts',
    'apps/security/src/report-format/{cwe,cyclonedx,finding,json-report,read-report,sarif,sarif-rules,severity}.ts',
  ],
  // Texts, lists and object shapes are covered by contracts and integration tests.
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex'] },
  testRunner: 'jest',
  jest: { projectType: 'custom', configFile: 'tools/mutation/jest.config.cjs' },
  // There is none of that name: Stryker would read it through an interface that TypeScript 7 no longer has.
  tsconfigFile: 'tsconfig.none.json',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Detects mutations that cause an endless loop; high enough for a busy machine.
  timeoutMS: 30_000,
  tempDirName: '.mutation',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  allowConsoleColors: false,
  disableTypeChecks: false,
};
