using System;
using System.Collections.Generic;

namespace Shapes
{
    [Serializable]
    public class Box<T> : IComparable where T : struct
    {
        private readonly List<T> items = new List<T>();
        public int Width { get; set; } = 1;

        public int CompareTo(object other)
        {
            foreach (var item in items)
            {
                if (item.Equals(other)) { return 0; }
            }
            return Width > 0 ? 1 : -1;
        }

        static void Main(string[] args)
        {
            Func<int, int> twice = x => x * 2;
            Console.WriteLine($"{twice(args.Length)} boxes");
        }
    }
}
