import { readCommandLine } from '../src/command-line';
import { planProcesses, planReplicas, usualProcesses } from '../src/plan';

const storages = ['default=/a', 'second=/b'];
const GB = 1024 ** 3;

describe('the processes of one machine', () => {
  it.each([
    [1, 8 * GB, 2],
    [2, 8 * GB, 2],
    [4, 8 * GB, 4],
    [64, 8 * GB, 16],
    [16, GB / 2, 2],
  ])('on %i cores with %i bytes are %i', (cores, memory, processes) => {
    expect(usualProcesses(cores, memory)).toBe(processes);
  });

  it('are a gateway and the services on two cores', () => {
    const { gateways, services } = planProcesses(2, storages);
    expect(gateways).toEqual(['gateway']);
    expect(services).toEqual([
      {
        name: 'services',
        services: [
          'ci',
          'collaboration',
          'delivery',
          'geo',
          'identity',
          'integrations',
          'projects',
          'registry',
          'repository',
          'security',
          'web',
        ],
        storages,
      },
    ]);
  });

  it('gives each storage one owner, and every other service to each', () => {
    const { gateways, services } = planProcesses(7, storages);
    expect(gateways).toHaveLength(3);
    expect(services.map((one) => one.storages)).toEqual([['default=/a'], ['second=/b'], [], []]);
    for (const one of services) expect(one.services.includes('repository')).toBe(one.storages.length > 0);
    for (const one of services) expect(one.services.length).toBeGreaterThanOrEqual(4);
  });
});

describe('replicas of each service', () => {
  it('are separate processes; those of repository have their storages', () => {
    const { gateways, services } = planReplicas(2, 3, storages);
    expect(gateways).toEqual(['gateway-1', 'gateway-2', 'gateway-3']);
    expect(services.map(({ name }) => name)).toEqual(
      [
        'ci',
        'collaboration',
        'delivery',
        'geo',
        'identity',
        'integrations',
        'projects',
        'registry',
        'repository',
        'security',
        'web',
      ].flatMap((name) => [`${name}-1`, `${name}-2`]),
    );
    expect(services.filter((one) => one.services.includes('repository')).map((one) => one.storages)).toEqual([
      ['default=/a'],
      ['second=/b'],
    ]);
  });

  it('of repository beyond the storages are standby for one', () => {
    const { services } = planReplicas(3, 1, storages);
    expect(services.find(({ isStandBy }) => isStandBy)).toMatchObject({
      name: 'repository-3',
      storages: ['default=/a'],
      isStandBy: true,
    });
  });
});

describe('the command line', () => {
  it('plans replicas, and as many gateways by default', () => {
    expect(readCommandLine([])).toEqual({
      replicas: undefined,
      isEphemeral: false,
      seedFile: undefined,
      endsWithStdin: false,
    });
    expect(readCommandLine(['--services']).replicas).toEqual({ replicas: 1, gateways: 1 });
    expect(readCommandLine(['--services', '--replicas', '2']).replicas).toEqual({ replicas: 2, gateways: 2 });
    expect(readCommandLine(['--replicas', '2', '--gateways', '3']).replicas).toEqual({ replicas: 2, gateways: 3 });
  });

  it.each([[['--replicas', '0']], [['--replicas', 'two']], [['--gateways', '17']], [['--many']], [['here']]])(
    'is refused in words: %j',
    (args) => {
      expect(() => readCommandLine(args)).toThrow(/--replicas|--gateways|--many|here/);
    },
  );
});
