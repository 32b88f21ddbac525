import type { Request } from "./http";
export { Response } from "./response";

export interface Handler<T> {
  name: string;
  handle(request: Request): Promise<T>;
}
export type Maybe<T> = T | undefined;
export enum Colour { Red, Green }
declare module "plugin" { export function load(): void; }
export namespace Util { export const size = 1; }

@Injectable()
export abstract class Service implements Handler<string> {
  private readonly cache = new Map<string, string>();
  constructor(private http: Http) {}
  async handle(request: Request): Promise<string> { return this.http.get(request.url); }
  abstract stop(): void;
}

export const build = async <T>(x: T): Promise<T> => wrap(x);
export function parse(text: string): number;
export function parse(text: string | number): number { return Number(text); }
export const schema = z.object({ a: 1 });
