import { type ContextOf, commonErrors, getAvatar, type ParsedOf, type ResultOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import { Avatars } from './avatar';

interface Wanted {
  userId: number;
  filename: string;
}

const aYear = 'public, max-age=31536000, immutable';

@Controller()
export class GetAvatar implements OnModuleInit {
  constructor(
    private readonly avatars: Avatars,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<Wanted>('avatar', async ({ userId, filename }, _request, response) => {
      const avatar = await this.avatars.find(userId, filename);
      if (!avatar) {
        response.writeHead(404).end();
        return;
      }
      const { image, contentType = 'image/png' } = avatar;
      const headers = { 'content-type': contentType, 'content-length': image.length, 'cache-control': aYear };
      response.writeHead(200, headers).end(image);
    });
  }

  @Handles(getAvatar)
  async handle(
    _context: ContextOf<typeof getAvatar>,
    { user_id: userId, filename }: ParsedOf<typeof getAvatar>,
  ): Promise<ResultOf<typeof getAvatar>> {
    if (!(await this.avatars.find(userId, filename))) throw commonErrors.notFound();
    return this.dataPort.presign('avatar', { userId, filename });
  }
}
