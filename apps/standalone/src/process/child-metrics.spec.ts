import { merged } from './child-metrics';

const page = (samples: string) => `# HELP up Whether it is\n# TYPE up gauge\n${samples}\n`;

it('has each metric once, with the values of every process', () => {
  const other = '# HELP lag Of the event loop\n# TYPE lag gauge\nlag{unit="s }"} 0.1\n';
  expect(
    merged([
      { name: 'gateway', text: `${page('up 1')}\n${other}` },
      { name: 'services-1', text: page('up{service="ci"} 1\nup{service="projects"} 2') },
    ]),
  ).toBe(
    [
      '# HELP up Whether it is',
      '# TYPE up gauge',
      'up{process="gateway"} 1',
      'up{process="services-1",service="ci"} 1',
      'up{process="services-1",service="projects"} 2',
      '',
      '# HELP lag Of the event loop',
      '# TYPE lag gauge',
      'lag{process="gateway",unit="s }"} 0.1',
      '',
    ].join('\n'),
  );
});

it('contains also undescribed metrics, and no comments', () => {
  const pages = [
    { name: 'a', text: '# a remark\nbare 1' },
    { name: 'b', text: '# TYPE bare gauge\nbare{x="y"} 2' },
  ];
  expect(merged(pages)).toBe('# TYPE bare gauge\nbare{process="a"} 1\nbare{process="b",x="y"} 2\n');
});
