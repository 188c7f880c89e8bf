#!/usr/bin/env ruby
require 'set'

module Shapes
  class Box < Struct
    attr_reader :width, :height
    LIMIT = 10

    def initialize(width, height = 2, *rest, name: nil, &block)
      @width, @height = width, height
      @names = { first: name, 'second' => [1, 2.5] }
    end

    def area
      return 0 unless @width > 0
      [1, 2, 3].map { |x| x * 2 }.each do |y|
        puts "#{y} of #{LIMIT}" if y.even?
      end
      begin
        @width * @height
      rescue StandardError => error
        raise error
      ensure
        @width = nil
      end
    end
  end
end

case Shapes::Box.new(1).area
when 1..5 then puts :small
else puts 'large'
end
