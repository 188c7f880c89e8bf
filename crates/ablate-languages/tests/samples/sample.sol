// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "./Base.sol";

interface Area { function area() external view returns (uint256); }

contract Box is Base, Area {
    struct Point { uint x; uint y; }
    enum Kind { Round, Square }
    mapping(address => uint256) private balances;
    uint256 public constant LIMIT = 10;
    event Drawn(address indexed who, uint256 amount);

    modifier positive(uint x) { require(x > 0, "no"); _; }

    constructor(uint256 width) { balances[msg.sender] = width; }

    function area() external view override returns (uint256) {
        uint total = 0;
        for (uint i = 0; i < LIMIT; i++) {
            if (i % 2 == 0) { total += i; } else { continue; }
        }
        return total;
    }
}
